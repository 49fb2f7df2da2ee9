import { type Connection, ResponseError } from 'vscode-languageserver'
import { PuppetError } from '../../../base/issue.ts'
import { type ExactJson, isExactObject } from '../../../base/json/exact-json.ts'
import { getOwnValue } from '../../../base/own-property.ts'
import type { NodeChoice } from './chosen-node.ts'
import type { NodeSession } from './node-session.ts'

/** Commands of the server. */
export const commands = ['plumb.chooseNode', 'plumb.listNodes']

/** Reads `node` and `facts` from settings of an editor; values that are no texts are ignored. */
export function readNodeChoice(settings: unknown): NodeChoice {
  const object = (isExactObject((settings ?? null) as ExactJson) ? settings : {}) as Readonly<Record<string, unknown>>
  const get = (name: string) => {
    const value = getOwnValue(object, name)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const [node, facts] = [get('node'), get('facts')]
  return { ...('node' in object && { node }), ...('facts' in object && { facts }) }
}

/** Answers the commands that choose a node. `changed` is called after the node has changed. */
export function answerNodeRequests(connection: Connection, session: NodeSession, changed: () => void): void {
  connection.onExecuteCommand(({ command, arguments: [node, facts] = [] }) => {
    try {
      if (command === 'plumb.listNodes') return [...session.listNodes()]
      if (command !== 'plumb.chooseNode') return new ResponseError(invalidParams, `Unknown command '${command}'`)
      const chosen = session.choose(readNodeChoice({ node, ...(typeof facts === 'string' && { facts }) }))
      changed()
      return chosen?.name ?? null
    } catch (error) {
      if (error instanceof PuppetError) return new ResponseError(requestFailed, formatFailure(error))
      throw error
    }
  })
}

/** Chooses a node; the editor shows an error, and the node stays. */
export function chooseNode(
  connection: Connection,
  session: Pick<NodeSession, 'choose'>,
  choice: NodeChoice,
  changed: () => void,
): void {
  try {
    session.choose(choice)
    changed()
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    connection.window.showErrorMessage(formatFailure(error))
  }
}

function formatFailure({ diagnostic: { message, hint } }: PuppetError): string {
  return hint === undefined ? message : `${message}. ${hint}`
}

const invalidParams = -32602
/** Code of the protocol for a request that is valid but failed. LSP 3.17. */
const requestFailed = -32803
