import { fileURLToPath } from 'node:url'

/** URL of the source folder, with a trailing slash; undefined in a build. */
const sources = import.meta.url.endsWith('.ts') ? new URL('../..', import.meta.url).href : undefined

/**
 * Returns the path of a script for a thread or a process. In a build, this is the built script. When running from
 * source, as in tests, it is the source file if Node supports TypeScript (22.18 and later); otherwise, as on Node 20,
 * the script in the build of this checkout.
 */
export function resolveScriptPath(url: URL): string {
  if (sources === undefined) return fileURLToPath(url)
  const name = url.href.slice(sources.length)
  const script = 'typescript' in process.features ? `src/${name.replace(/\.js$/, '.ts')}` : `dist/${name}`
  return fileURLToPath(new URL(`../${script}`, sources))
}
