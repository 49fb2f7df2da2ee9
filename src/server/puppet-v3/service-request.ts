import type { FastifyRequest } from 'fastify'
import { isIssue, PuppetError } from '../../base/issue.ts'
import { isJsonLimitError } from '../../base/json/bounded-json.ts'
import type { JobLog } from '../../compiler/workers/compile-job.ts'
import { poolIssues } from '../../compiler/workers/issues.ts'
import { astIssues } from '../../language/pcore-ast/ast-node.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { BodyReader, ReadResult } from '../bodies/body-reader.ts'
import { getBody, getRequestAccount } from '../bodies/request-body.ts'
import { requestedIssues } from '../bodies/requested-catalog.ts'
import { createPlainRefusal, Refusal } from '../http/refusal.ts'
import { isVersionedCodeError } from '../termini/catalog/versioned-code.ts'
import { requestEnvironmentIssues } from '../termini/request-environment.ts'

/** Log levels in ascending order. Puppet: util/log.rb. */
const levels = ['debug', 'info', 'notice', 'warning', 'err', 'alert', 'emerg', 'crit']

/** Parses the body of a service request. Throws 400 and 413 with Puppet Server's messages. */
export async function parseServiceBody<Name extends 'requestedCatalog' | 'compileRequest'>(
  request: FastifyRequest,
  reader: BodyReader,
  name: Name,
): Promise<ReadResult<Name>['value']> {
  try {
    return (await reader.read(name, getBody(request), '', getRequestAccount(request))).value
  } catch (error) {
    if (error instanceof Refusal || isJsonLimitError(error)) throw error
    if (isIssue(error, requestedIssues.INVALID_INPUT, astIssues.AST_UNREADABLE))
      throw createPlainRefusal(400, error.message)
    throw createPlainRefusal(400, `Error parsing JSON: ${formatError(error)}`)
  }
}

/** Messages of at least the given level, in Puppet's format. */
export function formatLogs(all: readonly JobLog[], least: string) {
  const time = new Date().toISOString().replace('Z', '000000+00:00')
  return all
    .filter(({ level }) => levels.indexOf(level) >= levels.indexOf(least))
    .map(({ level, message, source, file, line }) => {
      // Messages logged by functions in manifests have no file and line.
      const place = source === 'Puppet' ? { file: file ?? null, line: line ?? null } : { file: null, line: null }
      return { level, message, source, tags: [level], time, ...place }
    })
}

/** Converts an error to Puppet Server's plain text for a Ruby exception. protocol.md 1.7. */
export function toServerError(error: unknown): unknown {
  if (!(error instanceof PuppetError) || isVersionedCodeError(error)) return error
  if (isIssue(error, poolIssues.COMPILE_QUEUE_FULL, poolIssues.COMPILE_POOL_CLOSED)) return error
  const kind = isIssue(error, requestEnvironmentIssues.UNKNOWN_DIRECTORY_ENVIRONMENT)
    ? 'EnvironmentNotFound'
    : 'PreformattedError'
  return createPlainRefusal(500, `Internal Server Error: org.jruby.exceptions.RuntimeError: (${kind}) ${error.message}`)
}
