// What the parser of a real PuppetDB makes of texts in PQL.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('oracle.clj', import.meta.url))

/** A line of JSON for each text: `{"ast": …}`, `{"error": …}` of the parser's, `{"failure": …}` of what reads values. */
export function realPql(texts) {
  const input = texts.map((text) => `${JSON.stringify(text)}\n`).join('')
  const words = ['-Xmx300m', '-Dfile.encoding=UTF-8', '-cp', '/usr/share/puppetdb/puppetdb.jar', 'clojure.main', script]
  const run = spawnSync('/usr/bin/java', words, { input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (run.status !== 0) throw new Error(run.stderr)
  return run.stdout.trimEnd().split('\n')
}
