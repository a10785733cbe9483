// SPDX-License-Identifier: MIT

// Only depths count.
void main()
{
}
