import { once } from 'node:events'
import { statSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { createPuppetError } from '../../../src/base/issue.ts'
import {
  type ControlRequests,
  getControlPath,
  requestFetch,
  requestFreeze,
  requestGate,
  requestRollout,
  requestUpdate,
  type ServerCode,
  sendControlRequest,
  sendNotification,
} from '../../../src/deploy/control/control-socket.ts'
import { parsePushRecords, reportPush } from '../../../src/deploy/control/push-record.ts'
import { parseRolloutRequest } from '../../../src/deploy/control/rollout-request.ts'
import { rolloutStateIssues } from '../../../src/deploy/rollout/state-issues.ts'
import { type Control, serveControl } from '../../../src/server/control/control-server.ts'
import { parseHookRequest } from '../../../src/server/gate/hook-request.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

let directory: string
let path: string
const open: Control[] = []
beforeEach(() => {
  directory = scratchFolder('control')
  path = getControlPath({ rundir: join(directory, 'run') })
})
afterEach(async () => {
  for (const control of open.splice(0)) await control.close()
})

const status = { name: 'production', ref: 'r', commit: 'c', since: 1, refused: undefined, warnings: [] }
const none = { environments: [], repository: undefined, trouble: undefined }
const some = { environments: [status], repository: '/srv/code.git', trouble: 'no refs' }
const serve = async (
  refresh = async (): Promise<ServerCode> => some,
  { idleMs, ...more }: Partial<ControlRequests> & { readonly idleMs?: number } = {},
) => {
  const requests = { status: async () => none, refresh, reload: refresh, ...more }
  const control = await serveControl(path, requests, idleMs === undefined ? {} : { idleMs })
  open.push(control)
  return control
}

describe('the control socket', () => {
  it('answers who may ask, and only its owner may', async () => {
    await serve()
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(await sendControlRequest(path, 'refresh')).toEqual(some)
    expect(await sendControlRequest(path, 'status')).toEqual(none)
  })

  it('is silent when there is no server', async () => {
    expect(await sendControlRequest(path, 'status')).toBeUndefined()
    await (await serve()).close()
    open.pop()
    expect(await sendControlRequest(path, 'status')).toBeUndefined()
  })

  it('tells what went wrong, and of a request it does not know', async () => {
    await serve(async () => {
      throw new Error('no refs')
    })
    await expect(sendControlRequest(path, 'refresh')).rejects.toThrow('The server rejected the request: no refs')
    await expect(sendControlRequest(path, 'bogus' as 'status')).rejects.toThrow("unknown request 'bogus'")
  })

  it('tells the hint of an error, and whether the server has rollouts', async () => {
    const rollout = async (asked: unknown) => {
      const request = parseRolloutRequest(asked)
      if ('show' in request) return [request.show]
      throw createPuppetError(rolloutStateIssues.ROLLOUT_ABSENT, { environment: request.environment })
    }
    expect(await requestRollout(path, { show: null })).toBeUndefined()
    await serve(undefined, { rollout })
    expect(await requestRollout(path, { show: null })).toEqual([null])
    expect(await requestRollout(path, { show: 'production' })).toEqual(['production'])
    const step = { environment: 'production', action: 'abort', by: 'anna' } as const
    await expect(requestRollout(path, step)).rejects.toMatchObject({
      diagnostic: {
        message: "The server rejected the request: Environment 'production' has no rollout",
        hint: expect.stringContaining('rollout.yaml'),
      },
    })
    for (const wrong of [{ action: 'explode' }, { action: 'abort' }, { show: 1 }, [], { ...step, by: 'x'.repeat(201) }])
      await expect(requestRollout(path, wrong as never)).rejects.toThrow('must be')
    await (await open.pop()!).close()
    await serve()
    expect(await requestRollout(path, { show: null })).toBeNull()
  })

  it('takes what a hook tells of a push, if it is one, and a hook does not fail without a server', async () => {
    const told: unknown[] = []
    const pushed = [{ ref: 'refs/heads/production', before: '0'.repeat(40), after: '1'.repeat(40) }]
    const push = { pushed, result: 'refused', reason: 'Syntax error' } as const
    const settings = { rundir: join(directory, 'run') }
    expect(await reportPush(settings, push)).toBe(false)
    const take = (push: unknown) => void told.push(...parsePushRecords(push))
    const requests = { status: async () => none, refresh: async () => some, reload: async () => some, pushed: take }
    open.push(await serveControl(path, requests))
    expect(await reportPush(settings, push, { GL_USERNAME: 'anna', REMOTE_USER: 'web' })).toBe(true)
    expect(await reportPush(settings, { pushed, result: 'accepted' }, { PLUMB_PUSHER: '', REMOTE_USER: 'web' })).toBe(
      true,
    )
    const common = { kind: 'push', ref: 'refs/heads/production', old: '0'.repeat(40), new: '1'.repeat(40) }
    expect(told).toEqual([
      { ...common, pusher: 'anna', result: 'refused', reason: 'Syntax error' },
      { ...common, pusher: 'web', result: 'accepted' },
    ])
    const many = Array.from({ length: 500 }, () => pushed[0]!)
    expect(await reportPush(settings, { pushed: many, result: 'accepted' })).toBe(true)
    expect(told.length).toBe(2 + budgets.audit.pushedRefs.bound)
    for (const wrong of [
      {},
      [{}],
      [{ ...common, pusher: 'a', result: 'maybe' }],
      [{ ...common, old: 'HEAD', pusher: 'a' }],
    ])
      expect(await sendNotification(path, 'pushed', wrong)).toBe(false)
  })

  it('replaces what a dead server left, not a living one', async () => {
    await serve()
    await expect(serve()).rejects.toThrow(`Another server is running (${path})`)
    await open.pop()?.close()
    const left = createServer().listen(path)
    await new Promise((resolve) => left.once('listening', resolve))
    left.close()
    await serve()
    expect(await sendControlRequest(path, 'status')).toEqual(none)
  })

  it('streams the progress of a slow request, and aborts it when the client disconnects', async () => {
    let gone: AbortSignal | undefined
    const asked: unknown[] = []
    await serve(undefined, {
      async update(question, tell, signal) {
        asked.push(question)
        tell('1 of 2')
        tell('2 of 2')
        gone = signal
        return { results: [] }
      },
      async gate(_, tell, signal) {
        tell('started')
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        gone = signal
        return null
      },
      async fetch() {
        throw new Error('no remote')
      },
    })
    const lines: string[] = []
    const question = { anew: true, environments: ['production'], modules: [] }
    expect(await requestUpdate(path, question, (line) => lines.push(line))).toEqual({ results: [] })
    expect(asked).toEqual([question])
    expect(lines).toEqual(['1 of 2', '2 of 2'])
    await expect(requestFetch(path, {})).rejects.toThrow('The server rejected the request: no remote')
    gone = undefined
    const client = httpRequest({ socketPath: path, method: 'POST', path: '/gate', agent: false })
    client.on('error', () => {}).end()
    const [response] = (await once(client, 'response')) as [IncomingMessage]
    const [line] = await once(response.setEncoding('utf8'), 'data')
    expect(line).toBe('{"said":"started"}\n')
    client.destroy()
    await expect.poll(() => gone?.aborted).toBe(true)
  })

  it('answers a request that it does not support with null, and loses a slow one when the server ends', async () => {
    const control = await serve()
    expect(await requestGate(path, { repository: '/srv/code.git', pushed: [], quarantine: null }, () => {})).toBeNull()
    await expect(requestFetch(path, {})).rejects.toThrow('the server has no code sources')
    await expect(requestFreeze(path, { environment: 'a', reason: 'b', pusher: 'c' } as never)).rejects.toThrow(
      "unknown request 'freeze'",
    )
    await control.close()
    open.pop()
    let reach: () => void
    const reached = new Promise<void>((resolve) => (reach = resolve))
    await serve(undefined, {
      gate() {
        reach()
        return new Promise(() => {})
      },
    })
    const asked = requestGate(path, { repository: '/srv/code.git', pushed: [], quarantine: null }, () => {})
    await reached
    await open.pop()?.close()
    expect(await asked).toBeUndefined()
  })

  it('refuses an oversized request', async () => {
    const told: unknown[] = []
    await serve(undefined, { pushed: (push) => void told.push(push) })
    expect(await sendNotification(path, 'pushed', ['x'.repeat(250_000)])).toBe(true)
    expect(await sendNotification(path, 'pushed', ['x'.repeat(2_000_000)])).toBe(false)
    expect(told).toHaveLength(1)
    expect(await answerTo(`POST /pushed HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}`)).toMatch(/^HTTP\/1.1 431 /)
    const chunk = 'x'.repeat(0x10000)
    const endless = `POST /pushed HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    expect(await answerTo(endless + `10000\r\n${chunk}\r\n`.repeat(5))).toMatch(/^HTTP\/1.1 413 /)
    expect(await sendControlRequest(path, 'status')).toEqual(none)
  })

  it('does not test a push with too many refs for a request, and receives thousands', async () => {
    const asked: unknown[] = []
    await serve(undefined, { gate: async (request) => asked.push(parseHookRequest(request)) })
    const refs = (count: number) =>
      Array.from({ length: count }, (_, index) => {
        return { ref: `refs/heads/branch${index}`, before: '0'.repeat(40), after: '1'.repeat(40) }
      })
    const request = (count: number) => ({ repository: '/srv/code.git', pushed: refs(count), quarantine: null })
    expect(await requestGate(path, request(1000), () => {})).toBe(1)
    expect(asked).toEqual([request(1000)])
    expect(await requestGate(path, request(10_000), () => {})).toBeUndefined()
  })

  it('tells of a reply that JSON cannot express', async () => {
    await serve(undefined, { fetch: async () => 1n as never })
    await expect(requestFetch(path, {})).rejects.toThrow('serialize a BigInt')
  })

  it('disconnects a client that never ends its request, one that sends a byte now and then too', async () => {
    await serve(undefined, { idleMs: 300, pushed: () => {} })
    const head = 'POST /pushed HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n'
    const [silent, inHeaders, inBody, drip] = await Promise.all([
      answerTo(''),
      answerTo(head),
      answerTo(`${head}\r\n[`),
      answerTo(`${head}\r\n[`, 100),
    ])
    expect(silent).toBe('')
    expect(inHeaders + inBody).not.toMatch(/ 200 /)
    expect(drip).toMatch(/^HTTP\/1.1 408 /)
    expect(await sendControlRequest(path, 'status')).toEqual(none)
  })

  it('bounds the number of connections', async () => {
    await serve()
    const held = Array.from({ length: 64 }, () => connect(path).on('error', () => {}))
    await Promise.all(held.map((socket) => once(socket, 'connect')))
    await expect(sendControlRequest(path, 'status')).rejects.toThrow()
    for (const socket of held) socket.destroy()
    await expect.poll(() => sendControlRequest(path, 'status').catch(() => undefined)).toEqual(none)
  })
})

/** The response to raw bytes on the socket until the server closes it; sends a space every `dripMs`. */
async function answerTo(bytes: string, dripMs?: number): Promise<string> {
  const socket = connect(path)
  socket.on('error', () => {})
  socket.write(bytes)
  const drip = dripMs === undefined ? undefined : setInterval(() => socket.write(' '), dripMs)
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk))
  await once(socket, 'close').catch(() => {})
  clearInterval(drip)
  return answer
}
