# Prints what puppetlabs_spec_helper reads from each text of a JSON list, as JSON: fixtures by kind, or the error's message.
require 'json'
require 'rake'
require 'puppetlabs_spec_helper/tasks/fixtures'

helper = Object.new.extend(PuppetlabsSpecHelper::Tasks::FixtureHelpers)
answers = JSON.parse($stdin.read).map do |text|
  File.write('.fixtures.yml', text)
  %w[symlinks repositories forge_modules].to_h { |kind| [kind, helper.fixtures(kind).to_a] }
rescue Exception => error # rubocop:disable Lint/RescueException
  error.message
end
print JSON.generate(answers)
