import { describe, expect, it } from 'vitest'
import { factLog } from '../../../../src/node/agent/facts/fact-log.ts'
import { consoleLog, reportLog, teeLog } from '../../../../src/node/agent/log.ts'

describe('what is said of facts', () => {
  it('is said by Facter, on the console and in the report', () => {
    const said: string[] = []
    const keep = (text: string) => said.push(text)
    const report = reportLog('info', () => 0)
    factLog(teeLog(consoleLog({ out: keep, err: keep, color: false }, 'info'), report))('error', 'no such fact')
    expect(said).toEqual(['Error: Facter: no such fact\n'])
    expect(report.lines).toMatchObject([{ level: 'err', source: 'Facter', message: 'no such fact' }])
  })
})
