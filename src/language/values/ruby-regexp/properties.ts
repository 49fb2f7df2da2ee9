/** What goes between the brackets of a JavaScript class (flag `v`) for Ruby's `[:name:]` and `\p{Name}`. */
const classes: Readonly<Record<string, string>> = {
  alnum: '\\p{Alphabetic}\\p{Nd}',
  alpha: '\\p{Alphabetic}',
  ascii: '\\x00-\\x7F',
  blank: '\\p{Zs}\\t',
  cntrl: '\\p{Cc}',
  digit: '\\p{Nd}',
  graph: '[\\p{Any}--[\\s\\p{Cc}\\p{Cn}\\p{Cs}]]',
  lower: '\\p{Lowercase}',
  print: '[\\p{Any}--[\\p{Cc}\\p{Cn}\\p{Cs}]]',
  punct: '\\p{P}$+<=>\\^`\\|~',
  space: '\\s\\x85',
  upper: '\\p{Uppercase}',
  word: '\\p{L}\\p{M}\\p{Nd}\\p{Pc}',
  xdigit: '0-9A-Fa-f',
  any: '\\p{Any}',
  assigned: '\\p{Assigned}',
}

/** The inside of a class for a POSIX bracket's name. */
export function posixClass(name: string): string | undefined {
  return Object.hasOwn(classes, name) ? classes[name] : undefined
}

/** The inside of a class for a property's name: POSIX names, general categories, scripts. */
export function propertyClass(name: string): string | undefined {
  const plain = name.toLowerCase().replace(/[\s_-]/g, '')
  const known = posixClass(plain)
  if (known) return known
  const capitalized = name.replace(/[A-Za-z]+/g, (word) => word[0]!.toUpperCase() + word.slice(1).toLowerCase())
  const tries = [`\\p{${name}}`, `\\p{${capitalized}}`, `\\p{Script=${capitalized.replace(/[\s-]/g, '_')}}`]
  return tries.find(isProperty)
}

function isProperty(text: string): boolean {
  try {
    return new RegExp(text, 'v') !== undefined
  } catch {
    return false
  }
}
