// ThreadSanitizer and the calls of a transport: a library of messages is not compiled with it, and its own
// locks are not seen, so what it reads and writes would look like races with the program. Between begin and
// end nothing of this thread is recorded. Without ThreadSanitizer: nothing.
#ifndef FATHOM_PARALLEL_SANITIZER_H
#define FATHOM_PARALLEL_SANITIZER_H

#ifdef __SANITIZE_THREAD__
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
#endif

static inline void sanitizer_begin_transport(void)
{
#ifdef __SANITIZE_THREAD__
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
#endif
}

static inline void sanitizer_end_transport(void)
{
#ifdef __SANITIZE_THREAD__
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
#endif
}

#endif
