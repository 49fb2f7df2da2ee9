import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import {
  type Control,
  getControlPath,
  type ServerCode,
  sendControlRequest,
  sendNotification,
  serveControl,
} from '../../../src/deploy/control/control-socket.ts'
import { parsePushRecords, reportPush } from '../../../src/deploy/control/push-record.ts'
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
const serve = async (refresh = async (): Promise<ServerCode> => some) => {
  const control = await serveControl(path, { status: async () => none, refresh, reload: refresh })
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
})
