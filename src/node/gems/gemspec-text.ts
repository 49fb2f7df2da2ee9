import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import type { GemSpecification } from './gem-metadata.ts'
import { anyVersion } from './gem-requirement.ts'

/** Version of RubyGems whose format the gemspec has. */
const rubygemsVersion = '3.3.15'

/**
 * Writes the gemspec of an installed gem exactly as RubyGems does (Gem::Specification#to_ruby_for_cache). Ruby evaluates
 * this text, so each value is quoted.
 */
export function writeGemspec(spec: GemSpecification): string {
  const { name, version, platform, requirePaths, extensions, metadata, dependencies } = spec
  const stub = [name, version, platform, requirePaths.map(removeControls).join('\0')].join(' ')
  return [
    '# -*- encoding: utf-8 -*-',
    `# stub: ${stub}`,
    ...(extensions.length > 0 ? [`# stub: ${extensions.map(removeControls).join('\0')}`] : []),
    '',
    'Gem::Specification.new do |s|',
    `  s.name = ${quote(name)}.freeze`,
    `  s.version = ${quote(version)}`,
    ...(platform === 'ruby' ? [] : [`  s.platform = ${quote(platform)}.freeze`]),
    '',
    `  s.required_rubygems_version = ${writeRequirement(spec.requiredRubygemsVersion)} if s.respond_to? :required_rubygems_version=`,
    ...(metadata.size > 0 ? [`  s.metadata = ${writeHash(metadata)} if s.respond_to? :metadata=`] : []),
    `  s.require_paths = ${writeValue(requirePaths)}`,
    ...listAttributes(spec).map(([key, text]) => `  s.${key} = ${text}`),
    '',
    `  s.installed_by_version = "${rubygemsVersion}" if s.respond_to? :installed_by_version`,
    ...(dependencies.length > 0 ? writeDependencies(dependencies) : []),
    'end',
    '',
  ].join('\n')
}

/** The attributes that differ from their defaults, in alphabetical order. */
function listAttributes(spec: GemSpecification): readonly (readonly [name: string, text: string])[] {
  const { attributes, extensions, executables, bindir, date, requiredRubyVersion } = spec
  const listed = [
    ...executables.map((each) => `${bindir}/${each}`),
    ...getList(spec, 'extra_rdoc_files'),
    ...extensions,
  ]
  const files = [...new Set(listed)].sort(compareCodeUnits)
  const isAnyRuby = requiredRubyVersion.join() === anyVersion.join()
  const more: readonly (readonly [string, string | undefined])[] = [
    ['bindir', bindir === 'bin' ? undefined : writeValue(bindir)],
    ['date', date && quote(date)],
    ['executables', executables.length > 0 ? writeValue(executables) : undefined],
    ['extensions', extensions.length > 0 ? writeValue(extensions) : undefined],
    ['files', files.length > 0 ? writeValue(files) : undefined],
    ['required_ruby_version', isAnyRuby ? undefined : writeRequirement(requiredRubyVersion)],
    ['rubygems_version', attributes.has('rubygems_version') ? undefined : writeValue(rubygemsVersion)],
  ]
  const own = [...attributes].map(([key, value]) => [key, writeValue(value)] as const)
  return [...own, ...more.flatMap(([key, text]) => (text === undefined ? [] : [[key, text] as const]))].sort(
    ([one], [other]) => compareCodeUnits(one, other),
  )
}

function getList({ attributes }: GemSpecification, name: string): readonly string[] {
  return [attributes.get(name) ?? []].flat()
}

function writeDependencies(dependencies: GemSpecification['dependencies']): readonly string[] {
  const write = (method: string, each: GemSpecification['dependencies'][number]) =>
    `    s.${method}(%q<${each.name}>.freeze, [${each.requirements.map(quote).join(', ')}])`
  return [
    '',
    '  if s.respond_to? :specification_version then',
    '    s.specification_version = 4',
    '  end',
    '',
    '  if s.respond_to? :add_runtime_dependency then',
    ...dependencies.map((each) => write(`add_${each.type}_dependency`, each)),
    '  else',
    ...dependencies.map((each) => write('add_dependency', each)),
    '  end',
  ]
}

function writeRequirement(bounds: readonly string[]): string {
  const text = bounds.length === 1 ? writeValue(bounds[0]!) : writeValue(bounds)
  return `Gem::Requirement.new(${text})`
}

function writeHash(hash: ReadonlyMap<string, string>): string {
  const pairs = [...hash].sort(([one], [other]) => compareCodeUnits(one, other))
  return `{ ${pairs.map(([key, value]) => `${quote(key)} => ${quote(value)}`).join(', ')} }`
}

function writeValue(value: string | readonly string[]): string {
  return typeof value === 'string' ? `${quote(value)}.freeze` : `[${value.map((each) => writeValue(each)).join(', ')}]`
}

function removeControls(text: string): string {
  return text.replace(/\p{Cc}/gu, '')
}

const escapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\f': '\\f',
  '\v': '\\v',
  '\b': '\\b',
  '\u0007': '\\a',
  '\u001b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
}

/** Quotes a string as Ruby's `String#dump` does: printable ASCII, without interpolation. */
function quote(text: string): string {
  const quoted = text.replace(/["\\]|#(?=[{$@])|[^\x20-\x7e]/gu, (character) => {
    if (character === '#') return '\\#'
    const code = character.codePointAt(0)!
    const hex = code.toString(16).toUpperCase()
    const plain =
      code < 0x80 ? `\\x${hex.padStart(2, '0')}` : code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
    return escapes[character] ?? plain
  })
  return `"${quoted}"`
}
