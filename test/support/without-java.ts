/** An error of Puppet Server or PuppetDB without the packages of Java's classes, which ours does not print. */
export function withoutJava(text: string): string {
  return text.replaceAll('java.lang.IllegalStateException: ', '').replaceAll(/java\.(?:lang|math)\./g, '')
}
