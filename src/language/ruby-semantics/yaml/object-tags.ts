import { rejectClass } from './permitted-classes.ts'

/** Tags of Ruby objects. The class is the first group of the pattern, or `name`. */
type ClassTags = readonly (readonly [tag: RegExp, name?: string])[]

const scalarTags: ClassTags = [
  [/^!(?:str|ruby\/string):(.*)$/],
  [/^!ruby\/object:(BigDecimal|DateTime|Complex|Rational)$/],
  [/^!ruby\/regexp$/, 'Regexp'],
  [/^!ruby\/range$/, 'Range'],
  [/^!ruby\/encoding$/, 'Encoding'],
]

const sequenceTags: ClassTags = [[/^!(?:seq|ruby\/array):(.*)$/]]

const mappingTags: ClassTags = [
  [/^!ruby\/struct:?(.*)$/, 'Struct'],
  [/^!ruby\/object:Hash$/, ''],
  [/^!ruby\/object:?(.*)$/, 'Object'],
  [/^!(?:str|ruby\/string):(.*)$/],
  [/^!ruby\/array:(.*)$/],
  [/^!ruby\/range$/, 'Range'],
  [/^!ruby\/exception:?(.*)$/, 'Exception'],
  [/^(?:!|tag:yaml\.org,2002:)set$/, 'Psych::Set'],
  [/^(?:!|tag:yaml\.org,2002:)omap$/, 'Psych::Omap'],
  [/^!ruby\/hash-with-ivars:(.*)$/],
  [/^!map:(.*)$/],
  [/^!ruby\/hash:(.*)$/],
  [/^!ruby\/marshalable:(.*)$/],
]

const tags = { scalar: scalarTags, sequence: sequenceTags, mapping: mappingTags }

/** Throws for the tag of a Ruby object, as Psych's `safe_load` does. Ruby: psych/visitors/to_ruby.rb. */
export function rejectObject(kind: keyof typeof tags, tag: string | undefined, value = ''): void {
  if (tag === undefined) return
  if (kind === 'scalar' && /^!ruby\/(?:class|module)$/.test(tag)) rejectClass(value)
  for (const [pattern, name] of tags[kind]) {
    const match = pattern.exec(tag)
    if (!match) continue
    const asked = match[1] || name
    if (asked) rejectClass(asked)
    return
  }
}
