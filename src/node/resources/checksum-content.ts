import type { ResourceDeclaration } from './managed-resource.ts'

/** True if the whole content is a checksum. Puppet checks the beginning of any line: util/checksums.rb. */
export function isChecksumContent(content: unknown): content is string {
  return typeof content === 'string' && /^\{\w{3,10}\}\S+\n?$/.test(content)
}

/** Puppet's warning about content that is a checksum. */
export function formatChecksumContentWarning({ file, line }: Pick<ResourceDeclaration, 'file' | 'line'>): string {
  const sentences = [
    'Using a checksum in a file\'s "content" property is deprecated.',
    'The ability to use a checksum to retrieve content from the filebucket using the "content" property will be removed in a future release.',
    'The literal value of the "content" property will be written to the file.',
    'The checksum retrieval functionality is being replaced by the use of static catalogs.',
    'See https://puppet.com/docs/puppet/latest/static_catalogs.html for more information.',
  ]
  return `${sentences.join(' ')}\n   (file: ${file ?? 'unknown'}, line: ${line ?? 'unknown'})`
}
