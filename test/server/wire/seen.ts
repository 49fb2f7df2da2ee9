/** An answer to be compared: the character set is said by some and not by others. */
export function seen(status: number, type: string | undefined, body: string): unknown {
  return JSON.parse(JSON.stringify({ status, type: type?.replace(/;.*/, ''), body: read(body) }))
}

/** JSON as data, so that the order of keys, items and spaces counts for nothing; anything else as it is. */
function read(text: string): unknown {
  try {
    return JSON.parse(text, (key, value) => {
      // What we say besides: agents do not read it.
      if (key === 'hint') return undefined
      return Array.isArray(value) ? value.map((each) => JSON.stringify(sorted(each))).sort() : value
    })
  } catch {
    return text
  }
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
