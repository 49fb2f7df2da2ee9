import { existsSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openJournal } from '../../../src/machine/system/journal.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const path = join(scratchFolder('journal'), 'stdout')
const header = 'puppet-agent\n\n6\n1\n0\n0\n0\n'

/** A socket that takes what the journal's would. */
async function listening() {
  const texts: string[] = []
  const sockets: Socket[] = []
  const server: Server = createServer((socket) => {
    const index = texts.push('') - 1
    sockets.push(socket)
    socket.on('data', (data) => (texts[index] += data.toString()))
  })
  await new Promise<void>((done) => server.listen(path, done))
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    rmSync(path, { force: true })
  }
  return { texts, close }
}

it('writes lines with their levels below its name, and connects again to a journal that began anew', async () => {
  const lost: string[] = []
  const first = await listening()
  const journal = await openJournal({ tag: 'puppet-agent', path, lost: (why) => void lost.push(why) })
  journal.write('err', 'broken')
  journal.write('debug', 'looked')
  await expect.poll(() => first.texts).toEqual([`${header}<3>broken\n<7>looked\n`])
  first.close()
  await expect.poll(() => existsSync(path)).toBe(false)
  const second = await listening()
  await expect
    .poll(() => {
      journal.write('notice', 'again')
      return second.texts.join('')
    })
    .toContain(`${header}<5>again\n`)
  await journal.close()
  second.close()
})

it('refuses to open where there is no journal', async () => {
  await expect(openJournal({ tag: 'puppet-agent', path, lost() {} })).rejects.toThrow('ENOENT')
})
