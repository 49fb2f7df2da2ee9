import { fileURLToPath } from 'node:url'

/** The folder of the sources, with a slash at its end; undefined in a build. */
const sources = import.meta.url.endsWith('.ts') ? new URL('../..', import.meta.url).href : undefined

/**
 * The file of a script that a thread or a process runs. Where the sources run, as in tests, it is the source if Node runs
 * TypeScript (22.18 and later), otherwise, as on Node 20, the script in the build of this checkout.
 */
export function builtScript(url: URL): string {
  if (sources === undefined) return fileURLToPath(url)
  const name = url.href.slice(sources.length)
  const script = 'typescript' in process.features ? `src/${name.replace(/\.js$/, '.ts')}` : `dist/${name}`
  return fileURLToPath(new URL(`../${script}`, sources))
}
