import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readConfiguredTimezone } from '../../../../src/node/facts/core/timezone.ts'
import { createRootMachine } from '../../../../src/node/facts/root/root-machine.ts'
import { rootDirectory } from './root-directory.ts'

const berlin = 'CET-1CEST,M3.5.0,M10.5.0/3'
const [january, july] = ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z']

afterEach(() => {
  vi.useRealTimers()
})

describe('the time zone of a root directory', () => {
  it.each([
    ['UTC0', undefined, july, 'UTC'],
    ['<+0545>-5:45', undefined, july, '+0545'],
    [berlin, 'Europe/Berlin', january, 'CET'],
    [berlin, 'Europe/Berlin', july, 'CEST'],
    ['EST5EDT,M3.2.0,M11.1.0', 'America/New_York', january, 'EST'],
    ['EST5EDT,M3.2.0,M11.1.0', 'America/New_York', july, 'EDT'],
    // In Ireland, standard time is in summer.
    ['IST-1GMT0,M10.5.0,M3.5.0/1', 'Europe/Dublin', january, 'GMT'],
    ['IST-1GMT0,M10.5.0,M3.5.0/1', 'Europe/Dublin', july, 'IST'],
    [berlin, 'Europe/Nowhere', july, undefined],
    [berlin, undefined, july, undefined],
    ['', undefined, july, undefined],
  ])('with the rule %s and the name %s, on %s: %s', async (rule, name, now, abbreviation) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) })
    const root = rootDirectory({ [`/usr/share/zoneinfo/${name ?? 'zone'}`]: `TZif2\n${rule}\n` })
    if (name === undefined) writeFileSync(join(root, 'etc/localtime'), `TZif2\n${rule}\n`)
    else symlinkSync(`../usr/share/zoneinfo/${name}`, join(root, 'etc/localtime'))
    expect(await readConfiguredTimezone(await createRootMachine(root, expect.fail))).toBe(abbreviation)
  })
})
