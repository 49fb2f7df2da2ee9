#!/usr/bin/env ruby
# Asks real Puppet for syntax trees. Reads a JSON object a line: {"file": PATH} or {"code": TEXT, "epp": BOOLEAN}, with
# "check": true for what its checker says; prints one a line: {"tree": PN}, {"found": [[severity, code, message, line,
# column]...]}, {"error": MESSAGE}, or {"crash": MESSAGE} where Puppet itself breaks.
require 'json'
require 'tmpdir'
require 'puppet'
require 'puppet/pops'
require 'puppet/pops/pn'
require 'puppet/pops/model/pn_transformer'

home = Dir.mktmpdir
at_exit { FileUtils.remove_entry(home) }
Puppet.initialize_settings(%w[confdir vardir codedir rundir logdir publicdir].map { |name| "--#{name}=#{home}/#{name}" })
Puppet[:strict] = :error

def parse(question)
  file = question['file']
  epp = question['epp'] || file&.end_with?('.epp')
  parser = epp ? Puppet::Pops::Parser::EppParser.new : Puppet::Pops::Parser::Parser.new
  parser.parse_string(file ? File.read(file, encoding: 'utf-8') : question['code'], file).model
end

def check(model)
  acceptor = Puppet::Pops::Validation::Acceptor.new
  Puppet::Pops::Validation::ValidatorFactory_4_0.new.validator(acceptor).validate(model)
  acceptor.diagnostics.map do |d|
    [d.severity, d.issue.issue_code, d.issue.format(d.arguments), d.source_pos.line, d.source_pos.pos]
  end
end

def answer(question)
  model = parse(question)
  return { found: check(model) } if question['check']

  { tree: Puppet::Pops::Model::PNTransformer.transform(model).to_s }
rescue Puppet::Error => e
  { error: e.message }
rescue StandardError => e
  { crash: e.message.lines.first.chomp }
end

environment = Puppet::Node::Environment.create(:production, [])
context = {
  current_environment: environment,
  environments: Puppet::Environments::Static.new(environment),
  loaders: Puppet::Pops::Loaders.new(environment)
}
Puppet.override(context, 'syntax') do
  $stdin.each_line { |line| puts JSON.generate(answer(JSON.parse(line))) }
end
