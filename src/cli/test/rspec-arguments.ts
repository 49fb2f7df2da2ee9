import { defineIssues, throwIssue } from '../../base/issue.ts'

const issues = defineIssues({
  OUT_WITHOUT_FORMAT: {
    text: (a: { file: string }) => `--out ${a.file} needs a --format of its own`,
    hint: () => 'Give as many --format options as --out options: plumb test --format junit --out results.xml.',
  },
})

/** Options of a run that RSpec interprets. */
export interface RspecOptions {
  readonly format?: readonly string[] | undefined
  readonly out?: readonly string[] | undefined
  readonly example?: readonly string[] | undefined
  readonly tag?: readonly string[] | undefined
  readonly failFast?: boolean | undefined
  readonly seed?: string | undefined
  readonly pattern?: string | undefined
}

/** Folders of examples that need no machine. */
export const suiteFolders = [
  'aliases',
  'classes',
  'defines',
  'functions',
  'hosts',
  'type_aliases',
  'types',
  'unit',
] as const

/** Formats of ours, by name. */
const ownFormats: Readonly<Record<string, string>> = { junit: 'PlumbSpec::JunitFormatter' }

/**
 * Returns the arguments of RSpec for paths and options. Without paths, the suite consists of the folders that exist.
 * Throws OUT_WITHOUT_FORMAT. The files of `--out` belong to the last formats: the other ones print on standard output.
 */
export function toRspecArguments(
  paths: readonly string[],
  { format = [], out = [], example = [], tag = [], failFast, seed, pattern }: RspecOptions,
  exists: (path: string) => boolean,
): readonly string[] {
  if (out.length > format.length) throwIssue(issues.OUT_WITHOUT_FORMAT, { file: out[format.length]! })
  const printed = format.length - out.length
  const formats = format.flatMap((name, index) => {
    const file = out[index - printed]
    return ['--format', ownFormats[name] ?? name, ...(file === undefined ? [] : ['--out', file])]
  })
  const folders = suiteFolders.map((name) => `spec/${name}`).filter(exists)
  const files = paths.length > 0 || pattern !== undefined ? paths : folders
  return [
    ...(format.includes('junit') ? ['--require', 'plumb_spec/junit_formatter'] : []),
    ...formats,
    ...example.flatMap((text) => ['--example', text]),
    ...tag.flatMap((text) => ['--tag', text]),
    ...(failFast ? ['--fail-fast'] : []),
    ...(seed === undefined ? [] : ['--seed', seed]),
    ...(pattern === undefined ? [] : ['--pattern', pattern]),
    ...files,
  ]
}
