import { describe, expect, it } from 'vitest'
import { createFactLog } from '../../../../src/node/agent/facts/fact-log.ts'
import { createConsoleLog, createReportLog, createTeeLog } from '../../../../src/node/agent/log.ts'

describe('what is said of facts', () => {
  it('is said by Facter, on the console and in the report', () => {
    const said: string[] = []
    const keep = (text: string) => said.push(text)
    const report = createReportLog('info', () => 0)
    createFactLog(createTeeLog(createConsoleLog({ out: keep, err: keep, color: false }, 'info'), report))(
      'error',
      'no such fact',
    )
    expect(said).toEqual(['Error: Facter: no such fact\n'])
    expect(report.lines).toMatchObject([{ level: 'err', source: 'Facter', message: 'no such fact' }])
  })
})
