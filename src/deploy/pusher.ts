import { userInfo } from 'node:os'

/** The name of the pusher from the environment of a hook; otherwise the user name of the process. */
export function getPusher(env: Readonly<Record<string, string | undefined>>): string {
  for (const name of ['PLUMB_PUSHER', 'GL_USERNAME', 'REMOTE_USER']) {
    const value = env[name]
    if (value !== undefined && value !== '') return value
  }
  return getAccountName(env)
}

/** The user name of this process; the user ID if the user has no name. */
function getAccountName(env: Readonly<Record<string, string | undefined>>): string {
  try {
    return userInfo().username
  } catch {
    return env.USER ?? `uid ${process.getuid?.() ?? ''}`
  }
}
