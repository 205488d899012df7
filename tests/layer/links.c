/* links.c - the program around one library of src/, see tests/CMakeLists.txt: that it links is the
 * test. */
int main(void)
{
    return 0;
}
