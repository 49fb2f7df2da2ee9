import { userInfo } from 'node:os'

/** Who pushes, as the program that runs the hooks says; else the account that they run as. */
export function pusherOf(env: Readonly<Record<string, string | undefined>>): string {
  for (const name of ['PLUMB_PUSHER', 'GL_USERNAME', 'REMOTE_USER']) {
    const value = env[name]
    if (value !== undefined && value !== '') return value
  }
  return account(env)
}

/** An account that has no name in the system's table is known by its number. */
function account(env: Readonly<Record<string, string | undefined>>): string {
  try {
    return userInfo().username
  } catch {
    return env.USER ?? `uid ${process.getuid?.() ?? ''}`
  }
}
