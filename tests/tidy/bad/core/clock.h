// No guard.
double clock_now_s(void);
