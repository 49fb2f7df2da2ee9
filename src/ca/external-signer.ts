import type { KeyObject } from 'node:crypto'
import { budgets } from '../base/budgets/budgets.ts'
import { throwIssue } from '../base/issue.ts'
import { toPrintable } from '../base/text/printable.ts'
import { Slots } from '../base/threads/slots.ts'
import { formatErrorReason } from '../language/ruby-semantics/errno.ts'
import type { CommandResult, Commands } from '../machine/system/system.ts'
import { authorityOutages } from './issues.ts'
import { getSignatureHash, isSignatureOf, type Signer } from './x509/signature.ts'

/** Maximum number of characters of the program's error message in ours. */
const maxReason = 200

/**
 * Returns a signer that runs a command, such as a script for a PKCS#11 token or a KMS. The command reads the content
 * from standard input and prints the signature in base64 (docs/ca.md, "Keys in hardware"). Each signature is verified
 * with the public key before it is used.
 */
export function createCommandSigner(
  publicKey: KeyObject,
  command: readonly string[],
  commands: Pick<Commands, 'run'>,
): Signer {
  const [program = ''] = command
  const { signers, signerTime, signerOutput } = budgets.authority
  const slots = new Slots({ atOnce: signers.bound })
  const env = { PLUMB_CA_KEY: publicKey.asymmetricKeyType, PLUMB_CA_HASH: getSignatureHash(publicKey) ?? '' }
  const limits = { timeout: signerTime.bound / 1000, maxOutput: signerOutput.bound }
  const fail = (why: string): never => throwIssue(authorityOutages.SIGNER_FAILED, { program, why })
  return {
    publicKey,
    async sign(content) {
      const result = await slots
        .run(() => commands.run(command, { input: content, env, ...limits }))
        .catch((error: unknown) => fail(formatErrorReason(error)))
      const problem = findProblem(result)
      if (problem !== undefined) fail(problem)
      const signature = decodeSignature(result.stdout) ?? fail(`its output is not base64${formatErrors(result.stderr)}`)
      if (!isSignatureOf(content, signature, publicKey))
        fail('the signature does not match the public key of the CA certificate')
      return signature
    },
  }
}

function findProblem({ status, timedOut, overflowed, stderr }: CommandResult): string | undefined {
  if (timedOut) return `it took longer than ${budgets.authority.signerTime.bound / 1000} seconds`
  if (overflowed) return `its output is longer than ${budgets.authority.signerOutput.bound} bytes`
  return status === 0 ? undefined : `exit status ${status}${formatErrors(stderr)}`
}

/** Formats the error output of the command for our message, on one line. */
function formatErrors(stderr: string): string {
  const text = stderr.trim().replaceAll(/\s+/g, ' ').slice(0, maxReason)
  return text === '' ? '' : `: ${toPrintable(text)}`
}

/** Decodes base64, with or without line breaks; `undefined` for other text. */
function decodeSignature(output: string): Buffer | undefined {
  const text = output.replaceAll(/\s/g, '')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined
}
