import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const oracle = fileURLToPath(new URL('../../test/oracle/compile.rb', import.meta.url))

/**
 * What real Puppet answers to requests, by their keys. Answers are kept in a file that is named for all that they depend
 * on, so that nothing is asked twice; `basis` is what the requests do not say: the modules' content.
 */
export async function askRealPuppet(requests, { cache, basis, say }) {
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  const about = createHash('sha256').update(basis).update(readFileSync(oracle))
  const file = join(cache, `real-${about.digest('hex').slice(0, 16)}.jsonl`)
  const answers = readAnswers(file)
  const missing = [...requests].filter(([key]) => !answers.has(key))
  if (missing.length === 0) return answers
  say(`asking real Puppet for ${missing.length} catalogs`)
  const ruby = spawn('ruby', [oracle], { stdio: ['pipe', 'pipe', 'inherit'] })
  ruby.stdin.end(missing.map(([, request]) => `${JSON.stringify(request)}\n`).join(''))
  let index = 0
  for await (const line of createInterface({ input: ruby.stdout })) {
    const [key] = missing[index++]
    appendFileSync(file, `${JSON.stringify({ key, answer: JSON.parse(line) })}\n`)
    answers.set(key, JSON.parse(line))
    if (index % 50 === 0) say(`${index} of ${missing.length}`)
  }
  if (index < missing.length) throw new Error(`compile.rb stopped after ${index} of ${missing.length} catalogs`)
  return answers
}

function readAnswers(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  return new Map(lines.map((line) => JSON.parse(line)).map(({ key, answer }) => [key, answer]))
}
