import { spawnSync } from 'node:child_process'

/** What a program that prints facts makes of a variable that is not UTF-8: Node cannot start one with it; a shell can. */
export function factsWithLatin(command: string) {
  const variables = String.raw`FACTER_LATIN="$(printf 'caf\351 \303\251')" FACTER_GOOD=café`
  const script = `${variables} exec ${command} --json latin good`
  const { stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' })
  return { values: JSON.parse(stdout) as unknown, errors: stderr.match(/Fact resolution fact='latin'.*UTF-8/g) }
}

const why = `String "caf\\xE9 é" doesn't match the reported encoding UTF-8`

/** What both print. */
export const latinRefused = {
  values: { good: 'café', latin: null },
  errors: [`Fact resolution fact='latin', resolution='<anonymous>' resolved to an invalid value: ${why}`],
}
