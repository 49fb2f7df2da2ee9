# Facts that modules bring, for the host.
module Plumb
  module Operations
    module_function

    # All facts that files of Ruby and others add, as JSON: names with values, and seconds that they took. `order` is JSON:
    # core facts, those of files and of the environment, folders of Ruby files, names that are blocked, and names that are
    # asked for (none for all).
    def collect_facts(order)
      given = JSON.parse(order)
      Facts.begin(given['core'], blocked: given['blocked'], folders: given['folders'], providers: given['providers'])
      Facter.trace(given['trace'])
      given['given'].each { |each| add_given(each) }
      Facts.load_all
      added = Facts.added.reject { |name, _| Facts.blocked?(name) }
      added = added.select { |name, _| wanted?(name, given['queries']) } unless given['queries'].empty?
      values = added.transform_values { |fact| JSON.parse(JSON.generate([Facts.stringified(value_of(fact))]))[0] }
      JSON.generate('values' => values, 'seconds' => Facts.durations)
    end

    # A fact of a file or of the environment, with the weight that it has beside those in Ruby.
    def add_given((name, value, weight))
      Facter.add(name, value: value, fact_type: :external) { has_weight weight }
    end

    def wanted?(name, queries) = queries.any? { |query| query == name || query.start_with?("#{name}.") || name.start_with?("#{query}.") }

    # What no JSON could carry is no fact's value.
    def value_of(fact)
      value = fact.value
      JSON.generate([value])
      value
    rescue JSON::GeneratorError => error
      Facter.log_exception(error, "Fact resolution fact='#{fact.name}' resolved to an invalid value: #{error.message}")
    end
  end
end
