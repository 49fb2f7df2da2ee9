import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { localSystem } from '../../../../src/machine/system/local-system.ts'
import { readTimezone } from '../../../../src/node/facts/core/timezone.ts'
import { createMachine } from '../../../../src/node/facts/machine.ts'

const folder = '/usr/share/zoneinfo'

/** This machine, with its clock in another zone. */
const machineIn = (zone: string) => ({
  ...createMachine(),
  files: { ...localSystem.files, read: () => localSystem.files.read(`${folder}/${zone}`) },
})

describe('the name of the time zone', () => {
  it
    .skipIf(!existsSync(`${folder}/Europe/Berlin`))
    .each([
      ...['Etc/UTC', 'Europe/Berlin', 'Europe/Dublin', 'America/New_York', 'America/Sao_Paulo', 'Australia/Lord_Howe'],
      ...['Asia/Kolkata', 'Asia/Kathmandu', 'Pacific/Chatham', 'Africa/Casablanca', 'America/St_Johns'],
    ])('of %s is what date prints, in winter and in summer', async (zone) => {
    const date = (day: string, format: string) =>
      execFileSync('date', ['-d', day, format], { env: { ...process.env, TZ: zone }, encoding: 'utf8' }).trim()
    for (const day of ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z']) {
      const [, sign, hours, minutes] = /([+-])(..)(..)/.exec(date(day, '+%z')) ?? []
      const west = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? 1 : -1)
      expect(await readTimezone(machineIn(zone), { set: undefined, west })).toBe(date(day, '+%Z'))
    }
  })

  it('is asked of date where a zone is set', async () => {
    const own = execFileSync('date', ['+%Z'], { encoding: 'utf8' }).trim()
    expect(await readTimezone(machineIn('Asia/Kolkata'), { set: 'any', west: 0 })).toBe(own)
  })
})
