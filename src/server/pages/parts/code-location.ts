/** The commit and the environment of the code that messages refer to. */
export interface CodeOrigin {
  readonly codeId: string | null
  readonly environment: string | null
}

/**
 * Formats a location in code as `1a2b3c4:modules/ntp/manifests/init.pp:12`, with the path relative to the root of the
 * commit.
 */
export function formatCodeLocation(file: string, line: number | null, origin: CodeOrigin): string {
  return `${shortenPaths(file, origin)}${line === null ? '' : `:${line}`}`
}

/** Shortens the paths of an environment's files in a text, such as `/etc/plumb/code/environments/production/…`. */
export function shortenPaths(text: string, { codeId, environment }: CodeOrigin): string {
  if (environment === null || environment === '') return text
  const mark = `/environments/${environment}/`
  const name = codeId === null ? '' : `${codeId.slice(0, 7)}:`
  let shortened = ''
  let from = 0
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, from)) {
    const start = findPathStart(text, at, from)
    shortened += text.slice(from, start) + name
    from = at + mark.length
  }
  return shortened + text.slice(from)
}

const pathCharacter = /[\w./@+~-]/

/** The offset at which the path around `at` begins. */
function findPathStart(text: string, at: number, least: number): number {
  let start = at
  while (start > least && pathCharacter.test(text[start - 1]!)) start--
  return start
}
