import { type } from './types.js'

/** `%#-10.3s` */
export function format(random, letters = 'sspppdxXobBeEfgGaAcCuthHnvVDyYTqzi') {
  const flags = random.once(2)
    ? ''
    : random.some(1, 2, () => random.of(['#', '-', ' ', '+', '0', '[', '{', '<', '(', '|'])).join('')
  const width = random.once(2) ? '' : random.of(['1', '5', '10', '20', '0'])
  const precision = random.once(3) ? random.of(['.0', '.2', '.5', '.10', '.']) : ''
  const text = `%${flags}${width}${precision}${random.of([...letters])}`
  return random.once(30) ? random.of(['', '%', 's', '%%', `${text}x`, `x${text}`, '% s', '%1$s']) : text
}

/** A format, or what stands for one in a hash: `{format => …, separator => …}`. */
function formatEntry(random, depth) {
  if (depth === 0 || random.once(2)) return `'${format(random, 'sspphahadd')}'`
  const parts = [`format => '${format(random, 'sspahahp')}'`]
  if (random.once(2)) parts.push(`separator => '${random.of([',', ', ', ' ; ', '', '\\\\n'])}'`)
  if (random.once(2)) parts.push(`separator2 => '${random.of(['=>', ': ', '', '='])}'`)
  if (random.once(2)) parts.push(`string_formats => ${formatMap(random, depth - 1)}`)
  return `{${parts.join(', ')}}`
}

/** Formats by type. */
export function formatMap(random, depth = 2) {
  const types = [
    'Any',
    'Array',
    'Hash',
    'String',
    'Integer',
    'Numeric',
    'Float',
    'Undef',
    'Scalar',
    'Collection',
    'Boolean',
    'Type',
    'Object',
  ]
  const keys = new Set(random.some(1, 3, () => (random.once(8) ? type(random, 1) : random.of(types))))
  return `{${[...keys].map((key) => `${key} => ${formatEntry(random, depth)}`).join(', ')}}`
}
