import type { GitHost, HostComment } from './git-host.ts'

/**
 * Writes the server's comment of a merge request: edits its earlier comment, or creates one. The earlier comment begins
 * with the marker and is by the server's own account; anybody else's comment with the marker is left alone.
 */
export async function publishComment(
  host: GitHost,
  number: number,
  { marker, text }: { readonly marker: string; readonly text: string },
): Promise<'created' | 'edited' | 'unchanged'> {
  const account = await host.getOwnAccount()
  let own: HostComment | undefined
  await host.scanComments(number, (comments) => {
    own = comments.find((each) => each.author === account && each.text.trimStart().startsWith(marker))
    return own !== undefined
  })
  if (!own) {
    await host.createComment(number, text)
    return 'created'
  }
  // Hosts may change the ends of lines.
  if (own.text.replaceAll('\r\n', '\n').trim() === text.trim()) return 'unchanged'
  await host.editComment(number, own, text)
  return 'edited'
}
