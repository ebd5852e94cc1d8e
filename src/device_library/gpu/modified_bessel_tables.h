// Polynomials for I0 and I1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computed with mpmath at 400 bits: interpolation at Chebyshev nodes, rounded to double.
#pragma once

namespace gridspan::device_library {

inline constexpr double i0_outer[] = {
    0x1.99840c2b2767bp-35,  0x1.11cf1a9200420p-36, -0x1.8fb64c52c2aabp-32, -0x1.0251ae550cb47p-33,
    0x1.6d5db466faba9p-30,  0x1.cdb2c58c885a6p-32, -0x1.a732f8fd49952p-29, -0x1.11d420282498fp-30,
    0x1.66709e2f1de6fp-28,  0x1.0c425fe6853eep-29, -0x1.e83a336ee24afp-28, -0x1.0514f4714df86p-28,
    0x1.131c3faafadddp-27,  0x1.0823baef33ba1p-27, -0x1.80fb51360df0ep-28, -0x1.ce28cd4f04d9ep-27,
    -0x1.cc94ae6dbe8c1p-28, 0x1.03ddcc42e5eaep-27, 0x1.72156593b3b92p-26,  0x1.51cc22adc3b2ap-25,
    0x1.7d0fbb49edc6ep-24,  0x1.3f49acfec4881p-22, 0x1.8e5139f8568cdp-20,  0x1.75e5ee703dcf4p-17,
    0x1.1daa72b5e70bcp-13,  0x1.b87969bb93bbbp-9,  0x1.9bd428ad249a5p-2};

inline constexpr double i0_inner[] = {
    0x1.8e189760fbc74p-168, 0x1.e5f504c9e358cp-159, 0x1.1159d2b18fe1fp-149, 0x1.1a6d4e307528fp-140,
    0x1.0afb53e9cec0bp-131, 0x1.cbeaf38dc529fp-123, 0x1.674f8e46c208cp-114, 0x1.faaf2fa1c79e5p-106,
    0x1.40a2dc2460523p-97,  0x1.69f7da8510bcdp-89,  0x1.69f7da8510bcdp-81,  0x1.3e22d70ef3b5fp-73,
    0x1.e725594ee52e9p-66,  0x1.4197a7f5154bcp-58,  0x1.69ca9cf3b7f54p-51,  0x1.5601885e63e5dp-44,
    0x1.0b313289be0b9p-37,  0x1.522a43f65486ap-31,  0x1.522a43f65486ap-25,  0x1.02e85c0898b71p-19,
    0x1.23456789abcdfp-14,  0x1.c71c71c71c71cp-10,  0x1.c71c71c71c71cp-6,   0x1.0000000000000p-2,
    0x1.0000000000000p+0,   0x1.0000000000000p+0};

inline constexpr double i1_outer[] = {
    -0x1.aa74a103bfb65p-35, -0x1.000892f633b63p-36, 0x1.a01c7c9c867a8p-32,  0x1.e12f673b0c5edp-34,
    -0x1.7c46dcef479b1p-30, -0x1.aca9d5e6b6995p-32, 0x1.b8919158457f8p-29,  0x1.fd5cd5e830a2fp-31,
    -0x1.75b393ca37d99p-28, -0x1.fa6c2762394ccp-30, 0x1.ff6099e632559p-28,  0x1.fc9369c33a266p-29,
    -0x1.23aa112de2ab6p-27, -0x1.0aec33cc1a974p-27, 0x1.a8b11e3620df4p-28,  0x1.e38d304e98d0ap-27,
    0x1.cb8b798693a02p-28,  -0x1.21d8961e589b5p-27, -0x1.917107e7b92bbp-26, -0x1.7277e82f93396p-25,
    -0x1.ad8dff9af71c0p-24, -0x1.7613844c77ab6p-22, -0x1.ec8e0ff0aba3dp-20, -0x1.f89c2304d604dp-17,
    -0x1.cbc54df1edaa5p-13, -0x1.3f796198ee639p-7,  0x1.8ebe783a84030p-2};

inline constexpr double i1_inner[] = {
    0x1.e9f6e1b270f54p-173, 0x1.37033643c4b3bp-163, 0x1.6c77c3976a829p-154, 0x1.88f11edf3ed4cp-145,
    0x1.84564b82a1184p-136, 0x1.5e69de22df5cep-127, 0x1.1f72d8389b3a3p-118, 0x1.aaae78f4066a6p-110,
    0x1.1d028acb00491p-101, 0x1.54ad09e6a6575p-93,  0x1.69f7da8510bcdp-85,  0x1.53585cdcbfb10p-77,
    0x1.165e7c2d153f3p-69,  0x1.8bce58901a35ep-62,  0x1.e2637bef9ff1ap-55,  0x1.f17697cf1cf13p-48,
    0x1.ab81ea75fcdf4p-41,  0x1.2c9758daf5cd0p-34,  0x1.522a43f65486ap-28,  0x1.27e4fb7789f5cp-22,
    0x1.845c8a0ce5129p-17,  0x1.6c16c16c16c17p-12,  0x1.c71c71c71c71cp-8,   0x1.5555555555555p-4,
    0x1.0000000000000p-1,   0x1.0000000000000p+0};

}  // namespace gridspan::device_library
