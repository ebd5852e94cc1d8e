#pragma once
int scale(int* values, int count);  // multiplies by 3; 1 if that worked
int shift(int value);
extern "C" int add(int a, int b);
