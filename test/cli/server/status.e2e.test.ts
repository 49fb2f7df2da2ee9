import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { plumb, startServer } from '../../support/plumb.ts'

const askStatus = (port: number, ...words: string[]) =>
  plumb(['server', 'status', '--bindaddress', '127.0.0.1', '--serverport', String(port), ...words])

/** Asks for the status of a program that is no server of ours. */
async function askAbout(respond: (socket: Socket) => void): Promise<unknown[]> {
  const server = createServer(respond)
  await new Promise<void>((done) => server.listen({ port: 0, host: '127.0.0.1' }, done))
  const { exitCode, stdout } = await askStatus((server.address() as AddressInfo).port)
  server.close()
  return [exitCode, stdout]
}

describe('plumb server status', () => {
  it('prints running, and stopped after the end of the server', async () => {
    const server = await startServer({})
    const running = await askStatus(server.port)
    expect([running.exitCode, running.stdout]).toEqual([0, 'running'])
    expect((await askStatus(server.port, '--render-as', 'json')).stdout).toBe('{"state":"running"}')
    await server.stop()
    const stopped = await askStatus(server.port)
    expect([stopped.exitCode, stopped.stdout, stopped.stderr]).toEqual([1, 'stopped', ''])
  })

  it.each<[string, (socket: Socket) => void]>([
    ['is silent', (socket) => socket.on('error', () => {})],
    ['closes the connection', (socket) => socket.destroy()],
    ['is no TLS server', (socket) => socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\n\r\nrunning')],
  ])('is stopped if another program there %s', async (_, respond) => {
    expect(await askAbout(respond)).toEqual([1, 'stopped'])
  })
})
