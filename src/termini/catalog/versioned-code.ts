import { defineIssues, fail, isIssue } from '../../base/issue.ts'
import { noPipes, startChild } from '../../base/start-child.ts'
import type { OpenFile } from '../../environments/environments.ts'
import type { Settings } from '../../settings/settings.ts'

/** Code that other programs keep versions of, as Puppet Server's `versioned-code` settings have it. protocol.md 7. */
export interface VersionedCode {
  /** The version (`code_id`) of an environment's present content; `undefined` where the program prints none. */
  codeId(environment: string): Promise<string | undefined>
  /** A file of that version. */
  content(environment: string, codeId: string, path: string): Promise<OpenFile>
}

const issues = defineIssues({
  VERSIONED_CODE_HALF: {
    text: (_: object) =>
      'Only one of "versioned-code.code-id-command" and "versioned-code.code-content-command" was set. Both or neither must be set for the versioned-code-service to function correctly.',
    hint: () => 'Their names here are code_id_command and code_content_command.',
  },
  VERSIONED_CODE_FAILED: {
    text: (a: { command: string; status: number | undefined; stdout: string; stderr: string }) =>
      `Non-zero exit code returned while running '${a.command}'. exit-code: '${a.status ?? ''}', stdout: '${a.stdout}', stderr: '${a.stderr}'`,
  },
  INVALID_CODE_ID: {
    text: (a: { codeId: string }) =>
      `Invalid code-id '${a.codeId}'. Must contain only alpha-numerics and '-', '_', ';', or ':'`,
  },
})

/** True for the failure of a program of `versioned-code`: Puppet Server answers such a failure in plain text. */
export function isVersionedCodeTrouble(error: unknown): boolean {
  return isIssue(error, issues.VERSIONED_CODE_FAILED, issues.INVALID_CODE_ID)
}

const codeIdPattern = /^[_\-:;a-zA-Z0-9]+$/
const largest = 256 * 1024 * 1024
const patience = 120_000

/** The programs that the settings name; `undefined` for none. Throws VERSIONED_CODE_HALF for only one. */
export function versionedCode({
  code_id_command: idCommand,
  code_content_command: contentCommand,
}: Pick<Settings, 'code_id_command' | 'code_content_command'>): VersionedCode | undefined {
  if (idCommand === '' && contentCommand === '') return undefined
  if (idCommand === '' || contentCommand === '') fail(issues.VERSIONED_CODE_HALF, {})
  return {
    async codeId(environment) {
      const codeId = (await outputOf(idCommand, [environment])).toString('utf8').replace(/\r?\n$/, '')
      // Without a code_id a catalog is not static (Puppet Server: versioned_code_core.clj).
      if (codeId === '') return undefined
      return codeIdPattern.test(codeId) ? codeId : fail(issues.INVALID_CODE_ID, { codeId })
    },
    async content(environment, codeId, path) {
      const content = await outputOf(contentCommand, [environment, codeId, path])
      return { size: content.length, content }
    },
  }
}

async function outputOf(command: string, args: readonly string[]): Promise<Buffer> {
  // Loaded only where such programs are used.
  const { execa } = await import('execa')
  const options = {
    encoding: 'buffer',
    reject: false,
    stripFinalNewline: false,
    maxBuffer: largest,
    timeout: patience,
    stdin: 'ignore',
  } as const
  const result = await startChild(async () => execa(command, args, options)).catch(() =>
    fail(issues.VERSIONED_CODE_FAILED, {
      command: [command, ...args].join(' '),
      status: undefined,
      stdout: '',
      stderr: noPipes,
    }),
  )
  if (result.exitCode === 0) return Buffer.from(result.stdout)
  const said = (output: Uint8Array | undefined) => Buffer.from(output ?? []).toString('utf8')
  return fail(issues.VERSIONED_CODE_FAILED, {
    command: [command, ...args].join(' '),
    status: result.exitCode,
    stdout: said(result.stdout),
    stderr: said(result.stderr),
  })
}
