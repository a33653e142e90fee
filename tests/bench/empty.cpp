// What any C++ program costs to start.
#include <iostream>

int main() { std::cout << "\n"; }
