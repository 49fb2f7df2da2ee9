// Puppet's compiler in one Ruby process, asked for one catalog after the other.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('real.rb', import.meta.url))

/** Starts it. Throws where there is no Puppet. */
export async function startRealPuppet({ work }, { lenient }) {
  const ruby = spawn('ruby', [script, work, ...(lenient ? ['lenient'] : [])], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: ruby.stdout })
  const ended = once(ruby, 'exit')
  const answer = async () => {
    const said = await Promise.race([once(lines, 'line'), ended.then(() => undefined)])
    if (!said) throw new Error("Puppet's compiler ended (Debian 12: apt-get install puppet-agent)")
    const { error } = JSON.parse(said[0])
    if (error) throw new Error(`Puppet refuses: ${error}`)
  }
  await answer()
  let isNew = false
  return {
    name: 'Puppet in Ruby',
    pid: ruby.pid,
    /** The next catalog is of new code. */
    async deploy() {
      isNew = true
    },
    /** Has a node's catalog made, and written to a file if one is named. */
    async catalog({ name, values }, save) {
      const given = { node: name, facts: values, deployed: isNew, save }
      isNew = false
      const answered = answer()
      ruby.stdin.write(`${JSON.stringify(given)}\n`)
      await answered
    },
    async stop() {
      ruby.stdin.end()
      await ended
    },
  }
}
