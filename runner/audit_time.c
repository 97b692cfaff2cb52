/* SPDX-License-Identifier: MIT */
/* audit_time: times of records, in ms since 1970, and how people write them. */
#include "audit_time.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "text.h"

#define DAY_MS UINT64_C(86400000)

/**
 * struct moment - a time as it is written
 */
struct moment {
	unsigned int year, month, day, hour, minute, second, ms;
};

static bool take_digits(const char *s, size_t digits, unsigned int *value)
{
	unsigned int sum = 0;

	for (size_t i = 0; i < digits; i++) {
		if (s[i] < '0' || s[i] > '9')
			return false;
		sum = sum * 10 + (unsigned int)(s[i] - '0');
	}
	*value = sum;
	return true;
}

static bool is_real(const struct moment *m)
{
	static const uint8_t days[] = {31, 28, 31, 30, 31, 30,
				       31, 31, 30, 31, 30, 31};
	bool leap =
		(m->year % 4 == 0 && m->year % 100 != 0) || m->year % 400 == 0;

	if (m->year < 1970 || m->month < 1 || m->month > 12 || m->day < 1 ||
	    m->hour > 23 || m->minute > 59 || m->second > 60)
		return false;
	return m->day <= days[m->month - 1] + (leap && m->month == 2 ? 1U : 0U);
}

/* Days since 1970-01-01 in the Gregorian calendar: years begin in March, so
 * that the odd day is the last of a year. */
static uint64_t days_of(const struct moment *m)
{
	uint64_t year = m->month > 2 ? m->year : m->year - 1;
	uint64_t month = m->month > 2 ? m->month - 3 : m->month + 9;
	uint64_t day = (153 * month + 2) / 5 + m->day - 1;

	return year * 365 + year / 4 - year / 100 + year / 400 + day - 719468;
}

static uint64_t utc_ms(const struct moment *m)
{
	return days_of(m) * DAY_MS +
	       ((m->hour * 60U + m->minute) * 60U + m->second) *
		       UINT64_C(1000) +
	       m->ms;
}

static bool take_day(const char *s, struct moment *m)
{
	return take_digits(s, 4, &m->year) && s[4] == '-' &&
	       take_digits(s + 5, 2, &m->month) && s[7] == '-' &&
	       take_digits(s + 8, 2, &m->day);
}

static bool take_clock(const char *s, struct moment *m)
{
	return s[0] == 'T' && take_digits(s + 1, 2, &m->hour) && s[3] == ':' &&
	       take_digits(s + 4, 2, &m->minute);
}

bool audit_time_parse(const char *s, size_t len, uint64_t *ms_out)
{
	struct moment m = {0};

	if (len != sizeof("2025-12-01T00:00:00.123Z") - 1 || s[16] != ':' ||
	    s[19] != '.' || s[23] != 'Z')
		return false;
	if (!take_day(s, &m) || !take_clock(s + 10, &m) ||
	    !take_digits(s + 17, 2, &m.second) ||
	    !take_digits(s + 20, 3, &m.ms) || !is_real(&m))
		return false;
	*ms_out = utc_ms(&m);
	return true;
}

static bool parse_ago(const char *text, uint64_t now_ms, uint64_t *ms_out)
{
	static const struct {
		char letter;
		uint64_t ms;
	} units[] = {
		{'s', 1000   },
                {'m', 60000  },
                {'h', 3600000},
                {'d', DAY_MS }
        };

	size_t len = strlen(text);
	uint64_t value;

	if (len < 2 || !text_parse_decimal(text, len - 1, 1000000, &value))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (units[i].letter != text[len - 1])
			continue;
		uint64_t ago = value * units[i].ms;
		*ms_out = ago > now_ms ? 0 : now_ms - ago;
		return true;
	}
	return false;
}

static uint64_t local_ms(const struct moment *m)
{
	struct tm local = {
		.tm_year = (int)m->year - 1900,
		.tm_mon = (int)m->month - 1,
		.tm_mday = (int)m->day,
		.tm_hour = (int)m->hour,
		.tm_min = (int)m->minute,
		.tm_sec = (int)m->second,
		.tm_isdst = -1,
	};
	time_t seconds = mktime(&local);

	return seconds < 0 ? 0 : (uint64_t)seconds * 1000 + m->ms;
}

bool audit_time_parse_since(const char *text, uint64_t now_ms, uint64_t *ms_out)
{
	struct moment m = {0};
	size_t len = strlen(text);

	if (parse_ago(text, now_ms, ms_out))
		return true;
	bool is_utc = len > 0 && text[len - 1] == 'Z';
	if (is_utc)
		len--;
	if (len < 10 || !take_day(text, &m))
		return false;
	if (len >= 16 && !take_clock(text + 10, &m))
		return false;
	if (len >= 19 &&
	    (text[16] != ':' || !take_digits(text + 17, 2, &m.second)))
		return false;
	if (len == 23 && (text[19] != '.' || !take_digits(text + 20, 3, &m.ms)))
		return false;
	if ((len != 10 && len != 16 && len != 19 && len != 23) || !is_real(&m))
		return false;
	*ms_out = is_utc ? utc_ms(&m) : local_ms(&m);
	return true;
}

static char *put_digits(char *at, unsigned int value, size_t digits, char after)
{
	for (size_t i = digits; i > 0; i--) {
		at[i - 1] = (char)('0' + value % 10);
		value /= 10;
	}
	at[digits] = after;
	return at + digits + 1;
}

/* By hand: a table by time does it for each record. */
void audit_time_format(uint64_t ms, char text_out[static AUDIT_TIME_BYTES])
{
	time_t seconds = (time_t)(ms / 1000);
	struct tm utc = {.tm_mday = 1};
	char *at = text_out;

	(void)gmtime_r(&seconds, &utc);
	at = put_digits(at, (unsigned int)utc.tm_year + 1900U, 4, '-');
	at = put_digits(at, (unsigned int)utc.tm_mon + 1U, 2, '-');
	at = put_digits(at, (unsigned int)utc.tm_mday, 2, 'T');
	at = put_digits(at, (unsigned int)utc.tm_hour, 2, ':');
	at = put_digits(at, (unsigned int)utc.tm_min, 2, ':');
	at = put_digits(at, (unsigned int)utc.tm_sec, 2, '.');
	at = put_digits(at, (unsigned int)(ms % 1000), 3, 'Z');
	*at = '\0';
}

void audit_time_format_local(uint64_t ms,
			     char text_out[static AUDIT_TIME_BYTES])
{
	time_t seconds = (time_t)(ms / 1000);
	struct tm t = {0};

	if (localtime_r(&seconds, &t) == NULL ||
	    strftime(text_out, AUDIT_TIME_BYTES, "%m-%d %H:%M:%S", &t) == 0)
		(void)snprintf(text_out, AUDIT_TIME_BYTES, "?");
}

uint64_t audit_time_now(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}
