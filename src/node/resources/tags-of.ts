/** Tags of a resource that another one generates: its type, and its title where that can be a tag. */
export function tagsOf(type: string, title: string): readonly string[] {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_:.-]*$/u.test(title) ? [type, title.toLowerCase()] : [type]
}
