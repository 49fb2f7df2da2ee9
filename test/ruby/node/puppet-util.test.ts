import { execaSync } from 'execa'
import { afterAll, describe, expect, it } from 'vitest'
import { NodeRuby } from '../../../src/ruby/node/node-ruby.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

/** Code that uses what providers of modules take from Puppet's own libraries. */
const cases: Readonly<Record<string, string>> = {
  'attempts that succeed': `require 'puppet/util/retry_action'
    left = 2
    Puppet::Util::RetryAction.retry_action(retries: 3) { (left -= 1) < 0 ? 'done' : raise(ArgumentError, "left #{left}") }`,
  'attempts that fail': `require 'puppet/util/retry_action'
    Puppet::Util::RetryAction.retry_action(retries: 1, retry_exceptions: [KeyError]) { raise KeyError, 'never' }`,
  'an error without attempts': `require 'puppet/util/retry_action'
    Puppet::Util::RetryAction.retry_action(retries: 1, retry_exceptions: [KeyError]) { raise ArgumentError, 'at once' }`,
  'no number of attempts': "require 'puppet/util/retry_action'; Puppet::Util::RetryAction.retry_action {}",
  'nothing to attempt': "require 'puppet/util/retry_action'; Puppet::Util::RetryAction.retry_action(retries: 1)",
  'messages that are logged once': `require 'puppet/util/warnings'
    2.times { Puppet::Util::Warnings.notice_once('seen'); Puppet::Util::Warnings.warnonce('careful'); Puppet::Util::Warnings.debug_once('hidden') }
    [Class.new, Class.new].each { |kind| kind.include(Puppet::Util::Warnings); 2.times { kind.new.instance_eval { notice_once('mine') } } }
    Puppet::Util::Warnings.clear_warnings
    Puppet::Util::Warnings.notice_once('seen')`,
  'messages in parts': "Puppet.err(['one', ['two', :three]]); nil",
  'warnings with a place': `Puppet.warn_once('kind', 'a', 'without a place')
    2.times { Puppet.warn_once('kind', 'b', 'with a place', 'site.pp', 3) }
    Puppet.warn_once('kind', 'c', 'no place wanted', :default, :default)
    Puppet.warn_once('kind', 'd', 'another level', :default, :default, :notice)
    nil`,
  'transports of older devices': `require 'puppet/util/network_device/base'
    class Puppet::Util::NetworkDevice::Transport::Own < Puppet::Util::NetworkDevice::Transport::Base
      def send(command) = (@sent = command)
      def expect(prompt) = yield("#{@sent} #{prompt.inspect}")
    end
    own = Puppet::Util::NetworkDevice::Transport::Own.new
    own.default_prompt = /> /
    answers = []
    own.command('show') { |text| answers << text }
    own.command('exit', prompt: /bye/) { |text| answers << text }
    device = Puppet::Util::NetworkDevice::Base.new('none://me:pw@h.test:7/')
    [answers, own.timeout, device.url.host, device.transport]`,
  "a provider's command": `resolver = Object.new
    def resolver.which(name) = name == 'here' ? '/bin/here' : nil
    executor = Object.new
    def executor.execute(*given) = given
    ran = Puppet::Provider::Command.new(:here, 'here', resolver, executor, failonfail: false).execute('-a', 'b')
    missing = begin; Puppet::Provider::Command.new(:gone, 'gone', resolver, executor).execute; rescue Puppet::MissingCommand => error; error.message; end
    [ran, missing].to_json`,
  'libraries that modules load': `%w[
      puppet/util/fileparsing puppet/util/log puppet/util/pidlock puppet/util/tagging puppet/relationship puppet/network
      puppet/http/response puppet/resource_api/puppet_context puppet/resource_api/type_definition
      puppet/util/network_device/transport
    ].each { |library| require library }
    Puppet::ResourceApi::PuppetContext.class`,
}

const evaluating = (code: string) => `begin
  (begin; ${code}; end).inspect
rescue Exception => error
  "#{error.class}: #{error.message}"
end`

/** What each case returns, and logs. */
function askPuppet(): Readonly<Record<string, unknown>> {
  const code = JSON.stringify(Object.values(cases).map(evaluating)).replaceAll('#', '\\#')
  const input = `require 'puppet'; require 'puppet/resource_api'; require 'json'
Puppet.initialize_settings([])
Puppet::Util::Log.level = :info
answers = JSON.parse(${JSON.stringify(code).replaceAll('\\\\#', '\\#')}).map do |text|
  logs = []
  Puppet::Util::Log.close_all
  Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(logs))
  value = eval(text)
  [value, logs.map { |log| "#{log.level} #{log.message}" }]
end
$stdout.write(JSON.generate(answers))`
  const answers = JSON.parse(execaSync('ruby', ['-'], { input }).stdout) as unknown[]
  return Object.fromEntries(Object.keys(cases).map((title, at) => [title, answers[at]]))
}

describe("Puppet's libraries on a node", () => {
  const real = puppet.all(cases, askPuppet)
  const logs: string[] = []
  const node = new NodeRuby(
    { root: '', settings: { disable_warnings: [] }, facts: {}, loadPath: [], env: {}, cwd: '/', debug: false },
    ({ level, message }) => logs.push(`${level} ${message}`),
  )
  afterAll(() => node.close())

  it.each(Object.entries(cases))('%s', async (title, code) => {
    logs.length = 0
    const value = await node.call('evaluate', [evaluating(code), '/t.rb'])
    expect([value, logs]).toEqual(real[title])
  })
})
