import { expect, it } from 'vitest'
import { Sensitive } from '../../../src/language/values/sensitive.ts'
import type { Value } from '../../../src/language/values/value.ts'
import { ManagedResource } from '../../../src/node/resources/managed-resource.ts'
import { execPosix } from '../../../src/node/resources/providers/exec/posix.ts'
import type { NativeTypeDefinition } from '../../../src/node/resources/type.ts'
import { execType } from '../../../src/node/resources/types/exec.ts'
import { fileType } from '../../../src/node/resources/types/file.ts'
import { user } from '../../../src/node/resources/types/user.ts'

const secret = 'hunter2'

it('a message of a provider about a command does not tell a word of it when it is Sensitive', () => {
  const said = (command: Value) => {
    const resource = new ManagedResource(execType, { title: 'x', values: new Map([['command', command]]) })
    resource.provider = execPosix
    try {
      resource.parse()
      return 'no error'
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(said(`${secret} now`)).toContain(`'${secret}' is not qualified`)
  expect(said(new Sensitive(`${secret} now`))).toBe(
    "Validation of Exec[x] failed: '[command redacted]' is not qualified and no path was specified. " +
      'Please qualify the command or specify a path.',
  )
})

function messageOf(type: NativeTypeDefinition, title: string, values: Readonly<Record<string, Value>>): string {
  try {
    new ManagedResource(type, { title, values: new Map(Object.entries(values)) }).parse()
    return 'no error'
  } catch (error) {
    return (error as Error).message
  }
}

it('a wrong password is rejected with the reason and without the password', () => {
  const message = messageOf(user as unknown as NativeTypeDefinition, 'x', { password: new Sensitive('swordfish:1') })
  expect(message).toContain("Passwords cannot include ':'")
  expect(message).not.toContain('swordfish')
})

// What is wrong with a value is said by the code of its type, which need not know that it is a secret.
it.each([
  ['environment', execType, '/bin/true', { environment: [secret] }],
  ['mode', fileType, '/x', { mode: secret }],
  ['path', fileType, 'x', { path: secret }],
] as const)('a message about a wrong %s does not tell what it is when it is Sensitive', (name, type, title, values) => {
  const given = (values as Readonly<Record<string, Value>>)[name]!
  expect(messageOf(type as unknown as NativeTypeDefinition, title, values)).toContain(secret)
  const message = messageOf(type as unknown as NativeTypeDefinition, title, { ...values, [name]: new Sensitive(given) })
  expect(message).toContain('[value redacted]')
  expect(message).not.toContain(secret)
})
