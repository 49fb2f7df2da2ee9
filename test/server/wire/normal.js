// What may differ between two servers that say the same: folders, the commit, times, identifiers, owners of files.

const times = [
  [/"(version)":\d+/g, '"$1":0'],
  [/"(catalog_uuid)":"[^"]*"/g, '"$1":"UUID"'],
  [/"time":"[^"]*"/g, '"time":"TIME"'],
  [/\{([cm]time)\}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}/g, '{$1}TIME'],
  [/"(owner|group)":\d+/g, '"$1":0'],
  [/ in [\d.]+ seconds/g, ' in N seconds'],
]

/**
 * A text without what may differ; `names` are texts of this machine, and what they stand for.
 * @param {string} text
 * @param {Readonly<Record<string, string>>} names
 */
export function normal(text, names) {
  const named = Object.entries(names).reduce((sofar, [name, word]) => sofar.replaceAll(name, word), text)
  return times.reduce((sofar, [pattern, word]) => sofar.replace(pattern, word), named)
}
