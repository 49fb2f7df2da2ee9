/** Tags of a generated resource: its type, and its title if valid as a tag. */
export function listResourceTags(type: string, title: string): readonly string[] {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_:.-]*$/u.test(title) ? [type, title.toLowerCase()] : [type]
}
