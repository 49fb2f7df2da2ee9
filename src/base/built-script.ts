import { fileURLToPath } from 'node:url'

/** The script of a worker thread in the build of this checkout, also for who runs from the sources (in tests). */
export function builtScript(url: URL): string {
  return fileURLToPath(url).replace(/([/\\])src([/\\](?:\w[\w-]*[/\\])+[\w-]+\.js)$/, '$1dist$2')
}
