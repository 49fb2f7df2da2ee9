const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Date formats, with the group numbers of year, month and day. */
const dateForms: readonly (readonly [RegExp, readonly [number, number, number]])[] = [
  [/^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/, [1, 2, 3]],
  [/^(\d{4})(\d\d)(\d\d)$/, [1, 2, 3]],
  [/^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/, [3, 2, 1]],
  [/^(\d{1,2}) ([A-Za-z]{3,9}) (\d{4})$/, [3, 2, 1]],
  [/^([A-Za-z]{3,9}) (\d{1,2}) (\d{4})$/, [3, 1, 2]],
]

/**
 * Parses a date in local time or with a zone, like Ruby's `Time.parse`: `2026-11-21`, `2026/11/21 10:00`, `21.11.2026`,
 * `21 Nov 2026`, `2026-11-21T10:00:05Z`, or a time of today: `22:30`, `10:30 pm`. `undefined` for anything else.
 */
export function parseLocalDate(text: string, now = new Date()): Date | undefined {
  const words = with24Hours(text)
    .replace(/(\d)T(?=\d)/, '$1 ')
    .replaceAll(',', ' ')
    .split(/\s+/)
    .filter(Boolean)
  const at = words.findIndex((word) => word.includes(':') && /^\d/.test(word))
  const clock =
    at === -1 ? ['', '0', '0', '0', ''] : /^(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?(Z|[-+]\d\d:?\d\d)?$/.exec(words[at]!)
  if (!clock) return undefined
  const [, hour = '', minute = '', second = '0', suffix = ''] = clock
  const last = at === -1 ? -1 : at + 1
  const apart = /^(?:Z|UTC|GMT|[-+]\d\d:?\d\d)$/.test(words[last] ?? '') ? words[last]! : ''
  const zone = suffix === '' ? apart : suffix
  const rest = words.filter((_, index) => index !== at && (apart === '' || index !== last))
  const day = rest.length === 0 && at !== -1 ? getToday(now) : parseDay(rest.join(' '))
  if (!day || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const [year, month, date] = day
  if (zone === '') return new Date(year, month - 1, date, Number(hour), Number(minute), Number(second))
  return new Date(
    Date.UTC(year, month - 1, date, Number(hour), Number(minute), Number(second)) - parseUtcOffset(zone) * 60_000,
  )
}

/** `10:30 pm` as `22:30`. */
function with24Hours(text: string): string {
  return text.replace(/\b(\d{1,2})((?::\d\d){0,2}) ?([ap])m\b/i, (_, hour: string, rest: string, half: string) => {
    const twelve = Number(hour) % 12
    return `${half.toLowerCase() === 'p' ? twelve + 12 : twelve}${rest || ':00'}`
  })
}

type Day = readonly [year: number, month: number, date: number]

function getToday(now: Date): Day {
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()]
}

/** Parses year, month and day. As in Ruby, a day after the end of its month becomes a day of the next month. */
function parseDay(text: string): Day | undefined {
  for (const [form, places] of dateForms) {
    const found = form.exec(text)
    if (!found) continue
    const [year, month, date] = places.map((place) => found[place]!) as [string, string, string]
    const known = /\d/.test(month) ? Number(month) : months.indexOf(month.slice(0, 3).toLowerCase()) + 1
    if (known < 1 || known > 12 || Number(date) < 1 || Number(date) > 31) return undefined
    return [Number(year), known, Number(date)]
  }
  return undefined
}

/** UTC offset in minutes. */
function parseUtcOffset(zone: string): number {
  const digits = zone.replaceAll(/\D/g, '')
  const minutes = digits === '' ? 0 : Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return zone.startsWith('-') ? -minutes : minutes
}
