import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { isMissingFileError } from '../../base/system-error.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { getAnswersFolder } from '../../network/outside/answer-cache.ts'
import { formatInputs } from '../../network/outside/inputs-file.ts'
import { outsideKinds } from '../../network/outside/question.ts'
import { defineCommand } from '../command/command.ts'
import { tokenOptions } from '../connection/token-session.ts'
import { createPostQuery, readQueryRows, toPlainObject } from '../query/query-rows.ts'
import { withQueryStore } from '../query/query-store.ts'

const issues = defineIssues({
  ANSWER_FORGOTTEN: {
    text: (a: { question: string; file: string }) =>
      `The answer to ${a.question} has been removed: ${a.file} does not exist`,
    hint: () => 'The server removes the least recently used answers when they exceed their limit.',
  },
})

/** The command `plumb catalog inputs`. */
export const catalogInputsCommand = defineCommand({
  name: 'inputs',
  summary: 'Print the recorded inputs of the last catalog of a node.',
  description: `Prints the answers that the last compilation for the node received from the store (puppetdb_query), programs
(generate), external_folders, DNS and HTTP, in the format of 'plumb catalog compile --inputs'. Run this command on the
machine of a server with a store. Answers may contain secrets: protect the output like a catalog. Exits with 0, or with
1 if the store cannot be queried or an answer has been removed.

  plumb catalog inputs web1.example.com > inputs.json
  plumb catalog compile --node web1.example.com --at 8f3c2d1 --inputs inputs.json`,
  usage: '<node>',
  options: [...tokenOptions],
  async run(invocation) {
    const { args, settings: given, io } = invocation
    const certname = args[0] ?? ''
    const folder = getAnswersFolder(loadSettings({ given, runMode: 'server' }))
    const rows = await withQueryStore(invocation, (store) =>
      readQueryRows(
        store,
        createPostQuery(['from', 'catalog_input_contents', ['extract', ['type', 'name'], ['=', 'certname', certname]]]),
      ),
    )
    const kinds = Object.values<unknown>(outsideKinds)
    const asked = rows.map(toPlainObject).filter(({ type }) => kinds.includes(type))
    io.out(formatInputs(new Map(asked.map(({ name }) => readRecordedAnswer(String(name), folder)))))
    return 0
  },
})

/**
 * Reads the recorded answer to a query of the code. `name` is its name in the store: `sha256:DIGEST
 * QUERY`.
 */
function readRecordedAnswer(name: string, folder: string): readonly [question: string, answer: string] {
  const [, digest = '', question = ''] = /^sha256:([0-9a-f]{64}) (.*)$/s.exec(name) ?? []
  const file = join(folder, `${digest}.json`)
  try {
    return [question, readFileSync(file, 'utf8')]
  } catch (error) {
    if (!isMissingFileError(error)) throw error
    return throwIssue(issues.ANSWER_FORGOTTEN, { question, file })
  }
}
