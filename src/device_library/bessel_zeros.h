// Taylor coefficients of J0, J1, Y0, Y1 at their zeros below 8.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computed at 300 bits: the zeros with mpmath, the coefficients by the recurrence that Bessel's
// differential equation gives.
#pragma once

namespace gridspan::device_library {

/// Within `radius` of the zero (high + low), f(x) = sum of coefficients[k] * d^(k+1), d = x - zero.
struct BesselZero {
  double high, low, radius;
  double coefficients[20];
};

constexpr BesselZero j0_zeros[] = {
    {0x1.33d152e971b40p+1,
     -0x1.0f539d7da258ep-53,
     0.25,
     {-0x1.09cdb36551280p-1,  0x1.ba1deea029494p-4,   0x1.cfae864368d70p-5,
      -0x1.1bb1cbe1a4071p-7,  -0x1.1f992590d12bdp-9,  0x1.15382ba06cc47p-12,
      0x1.6ed3b9f07eb28p-15,  -0x1.232c77d228ab6p-18, -0x1.1cce302821846p-21,
      0x1.7ff99166c20b8p-25,  0x1.2951bd4726a93p-28,  -0x1.5c2c38b2a278cp-32,
      -0x1.bdc468c1a817ap-36, 0x1.cd41cf248a22ep-40,  0x1.f70b0201c12a4p-44,
      -0x1.d22d8ef70f1aap-48, -0x1.baa352d8622afp-52, 0x1.73612afd5db30p-56,
      0x1.382933550f440p-60,  -0x1.de7dcd5e6dab6p-65}},
    {0x1.6148f5b2c2e45p+2,
     0x1.75054cd60a517p-54,
     0.25,
     {0x1.5c6e60a097823p-2,   -0x1.f8f72e7a848e0p-6,  -0x1.b2150cb41e8c1p-5,
      0x1.2f7ffe90256bbp-8,   0x1.27e31fe9a9779p-9,   -0x1.6f641f41956f7p-13,
      -0x1.863f481a43036p-15, 0x1.ad77d748a06dbp-19,  0x1.32e6d99c6af7dp-21,
      -0x1.2da37e38435b9p-25, -0x1.41d72d9392e0ep-28, 0x1.1d0433d9a0e49p-32,
      0x1.e2f3389aa5f69p-36,  -0x1.8498ffdebdd63p-40, -0x1.10477aeae347ap-43,
      0x1.911a8d781ae91p-48,  0x1.de68af47fa3ddp-52,  -0x1.44b3881dbc1dep-56,
      -0x1.50be81f6c25f7p-60, 0x1.a7a3cd386daefp-65}}};

constexpr BesselZero j1_zeros[] = {
    {0x1.ea75575af6f09p+1,
     -0x1.60155a9d1b256p-53,
     0.25,
     {-0x1.9c6cf582cbf7fp-2,  0x1.ae8a39f51ad04p-5,   0x1.b589d1da13905p-5,
      -0x1.537544c331da7p-8,  -0x1.24b3409959064p-9,  0x1.6e4c2d5354224p-13,
      0x1.83a06e30c4109p-15,  -0x1.9799d4c9f2549p-19, -0x1.33825cd2e2c16p-21,
      0x1.17069233e916cp-25,  0x1.4569b22afc3c8p-28,  -0x1.03b9e9651056ap-32,
      -0x1.ec62310af5f52p-36, 0x1.5ec84e47b6f4fp-40,  0x1.17a40c9422e17p-43,
      -0x1.67cb1d0030c9cp-48, -0x1.ee7ff918f9b69p-52, 0x1.21fb8bdc4d7fap-56,
      0x1.5e0517dd0b5c9p-60,  -0x1.792595a1eec68p-65}},
    {0x1.c0ff5f3b47250p+2,
     -0x1.b226d9d243827p-54,
     0.25,
     {0x1.33518b3874e8ap-2,   -0x1.5e70dc60362bfp-6,  -0x1.80c83bdeee5b0p-5,
      0x1.9a4b292e3de42p-9,   0x1.13fbc7d698217p-9,   -0x1.07358bbdbff91p-13,
      -0x1.796a751f89051p-15, 0x1.4255b015aded4p-19,  0x1.3026e0ce97ab9p-21,
      -0x1.d48dcdae92f2cp-26, -0x1.44639d7eeb0a6p-28, 0x1.c62ccb4a32eb5p-33,
      0x1.ecae92e854457p-36,  -0x1.3bb6898d73cd2p-40, -0x1.183edbb8ef55ep-43,
      0x1.4ae3e7e4cce3dp-48,  0x1.efbb1e700730ap-52,  -0x1.0f28da3efa3c7p-56,
      -0x1.5ec318df9b467p-60, 0x1.6555a952345fap-65}}};

constexpr BesselZero y0_zeros[] = {
    {0x1.c982eb8d417eap-1,
     0x1.ea9d270347f83p-56,
     0.125,
     {0x1.c24371844b88ap-1, -0x1.f7e38a46d7102p-2, 0x1.c3b1338af3e97p-3, -0x1.cf18e6a4b3881p-3,
      0x1.c068086c296ecp-3, -0x1.a396a8059fcbap-3, 0x1.9424b930d263dp-3, -0x1.8d35b48108266p-3,
      0x1.8c08d04b60afbp-3, -0x1.8f7e336c4fe98p-3, 0x1.96de9bbc5ad8bp-3, -0x1.a1b6cbcb336a3p-3,
      0x1.afc30b0d981f4p-3, -0x1.c0e0973535920p-3, 0x1.d504b7d176a69p-3, -0x1.ec373091e81a0p-3,
      0x1.034761a63559bp-2, -0x1.121781fe6aac3p-2, 0x1.22a386895b5d5p-2, -0x1.3508672fbc67bp-2}},
    {0x1.fa9534d98569cp+1,
     -0x1.f06ae7804384ep-54,
     0.25,
     {-0x1.9c34256a12a0cp-2,  0x1.a09c9290367efp-5,   0x1.df6d59bf50ebdp-5,
      -0x1.c116fdc598096p-8,  -0x1.1e32bc4ef8a41p-9,  0x1.9982765166254p-13,
      0x1.ab2c1fecdcfc4p-15,  -0x1.486371e6a663ep-18, -0x1.3b21684089b4cp-22,
      -0x1.777058741bf97p-26, 0x1.452ea00945a70p-26,  -0x1.f6938829664f1p-29,
      0x1.a5a1f3a2a293ep-31,  -0x1.994e736de8ef8p-33, 0x1.88ae5c83467bcp-35,
      -0x1.75329361f19bbp-37, 0x1.643c7a49b7f43p-39,  -0x1.55480c70f5929p-41,
      0x1.47c1c44c1487ep-43,  -0x1.3b7d1fbf0fdd0p-45}},
    {0x1.c581dc4e72103p+2,
     -0x1.9774a495f56cfp-54,
     0.25,
     {0x1.334cca0697a5bp-2,   -0x1.5aef611fc4d57p-6,  -0x1.8969c64cbf452p-5,
      0x1.b2f14a95527cbp-9,   0x1.1d35e85fde2a3p-9,   -0x1.26dd71e391c8bp-13,
      -0x1.8177e4fe52324p-15, 0x1.6a9227352f96ap-19,  0x1.34aa7573ef14ep-21,
      -0x1.0a2814d7ac448p-25, -0x1.442a3d3359ad9p-28, 0x1.fa6c509566c72p-33,
      0x1.f14e5584823dbp-36,  -0x1.714c292be3936p-40, -0x1.0679cd5855172p-43,
      0x1.3365d5a786a7bp-48,  0x1.38cf06b47bc6ep-51,  -0x1.2bd5a83b64d59p-55,
      0x1.26e92cf91d829p-60,  -0x1.27116123c3d66p-62}}};

constexpr BesselZero y1_zeros[] = {
    {0x1.193bed4dff243p+1,
     -0x1.bd1e50d219bfdp-55,
     0.25,
     {0x1.0aa48442f014bp-1,   -0x1.e56f82217b8f1p-4,  -0x1.0d2af4e932386p-5,
      -0x1.3a6dec37290aap-8,  0x1.e671c7d1196fdp-8,   -0x1.5429dc5a45612p-9,
      0x1.17ab4afac0735p-10,  -0x1.0b2d877d5a29cp-11, 0x1.eea7bbb907646p-13,
      -0x1.c3fae3b0ad706p-14, 0x1.9d174c9ccecd9p-15,  -0x1.7956ad3fe9783p-16,
      0x1.5865d11ebb14dp-17,  -0x1.3a27f1fd4ac6ep-18, 0x1.1e742c1cf6acbp-19,
      -0x1.051d134cb0a72p-20, 0x1.dbea846629267p-22,  -0x1.b1a1682f5eb1fp-23,
      0x1.8b0b08d8ccddfp-24,  -0x1.67d8a7cc18981p-25}},
    {0x1.5b7fe4e87b02ep+2,
     0x1.dfe7bac228e8cp-52,
     0.25,
     {-0x1.5c7c556f0c19ap-2,  0x1.00b9f8571ca1fp-5,   0x1.a15d92dfe3e27p-5,
      -0x1.10a329e2c23fap-8,  -0x1.1be6db9923acfp-9,  0x1.337c7e138f484p-13,
      0x1.85b940eb607f9p-15,  -0x1.80619147b78f2p-19, -0x1.255e6cf70cf33p-21,
      0x1.b62cd02014989p-26,  0x1.80b1aac007d1dp-28,  -0x1.a7ee05a568fe6p-32,
      0x1.4065ca5f23bb5p-39,  -0x1.3847684c7da93p-38, 0x1.4980895b5067ap-40,
      -0x1.c00f7d6be89d7p-43, 0x1.402fd58efd6fdp-45,  -0x1.ded82b76f72f2p-48,
      0x1.6380d6ba31980p-50,  -0x1.06b38ec70e0a6p-52}}};

}  // namespace gridspan::device_library
