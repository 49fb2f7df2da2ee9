import { join } from 'node:path'
import { type RecordedAnswers, recordedAnswers } from './recorded-answers.ts'

/** Versions of OpenVox, with the folders of their sources in `OPENVOX_SOURCES` (see CONTRIBUTING.md). */
export const openvoxVersions = {
  'OpenVox 8.28.1': ['openvox8', 'openfact5'],
  'OpenVox 9.0.0-beta2': ['openvox9', 'openfact6'],
} as const

/** A version of OpenVox whose answers are recorded. */
export type OpenvoxVersion = keyof typeof openvoxVersions

const sources = process.env['OPENVOX_SOURCES']

/** Variables with which Ruby loads a version of OpenVox in place of Puppet. */
export function variablesOf(version: OpenvoxVersion): Readonly<Record<'RUBYLIB' | 'RUBYOPT', string>> {
  if (sources === undefined) throw new Error('OPENVOX_SOURCES must name a folder; see CONTRIBUTING.md')
  // OpenVox 9 is for Ruby 3.2, in which the library `set` is loaded from the beginning.
  return { RUBYLIB: openvoxVersions[version].map((folder) => join(sources, folder, 'lib')).join(':'), RUBYOPT: '-rset' }
}

/** The program `puppet` of a version. */
export function programOf(version: OpenvoxVersion): string {
  return join(sources ?? '', openvoxVersions[version][0], 'bin/puppet')
}

/** The recorded answers of a suite; while OpenVox is asked, every Ruby that is started loads this version of it. */
export function openvoxAnswers(suite: string, version: OpenvoxVersion, recorded?: RecordedAnswers): RecordedAnswers {
  const answers = recorded ?? recordedAnswers(suite, 'OpenVox 8.28.1 and 9.0.0-beta2')
  const withVersion = <Answer>(ask: () => Answer): Answer => {
    const variables = variablesOf(version)
    const before = Object.keys(variables).map((name) => [name, process.env[name]] as const)
    Object.assign(process.env, variables)
    try {
      return ask()
    } finally {
      for (const [name, value] of before)
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
    }
  }
  return {
    all: (questions, ask) => answers.all(questions, () => withVersion(ask)),
    one: (title, question, ask) => answers.one(title, question, () => withVersion(ask)),
  }
}
