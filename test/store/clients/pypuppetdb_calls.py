"""Asks a PuppetDB all that pypuppetdb can ask, and prints what it made of the answers: a line of JSON for each call.

The argument is JSON: what `pypuppetdb.connect` takes.
"""

import json
import logging
import sys
from datetime import datetime
from types import GeneratorType

import pypuppetdb
from pypuppetdb.QueryBuilder import (
    AndOperator,
    EqualsOperator,
    ExtractOperator,
    FromOperator,
    FunctionOperator,
    InOperator,
    NullOperator,
    RegexArrayOperator,
    RegexOperator,
)
from pypuppetdb.types import Edge

logging.disable(logging.CRITICAL)
db = pypuppetdb.connect(**json.loads(sys.argv[1]))
node = 'web01.example.com'
classes = AndOperator()
classes.add([EqualsOperator('type', 'Class'), EqualsOperator('certname', node)])
by_status = ExtractOperator()
by_status.add_field(['status', FunctionOperator('count')])
by_status.add_query(NullOperator('certname', False))
by_status.add_group_by('status')
with_class = InOperator('certname')
origin = FromOperator('resources')
names = ExtractOperator()
names.add_field('certname')
names.add_query(EqualsOperator('type', 'Class'))
origin.add_query(names)
with_class.add_query(origin)
latest = EqualsOperator('latest_report?', True)
of_node = EqualsOperator('certname', node)
newest = '[{"field": "start_time", "order": "desc"}]'
population = 'puppetlabs.puppetdb.population:name='


def first_report():
    return next(db.reports(query=of_node, order_by=newest.replace('desc', 'asc'), limit=1))


def status():
    told = db.status()
    told['status'].pop('queue_depth', None)
    return told


def paged():
    pages = []
    for offset in (0, 10, 20):
        page = list(db.nodes(limit=10, offset=offset, include_total=True, order_by='[{"field": "certname"}]'))
        pages.append({'total': db.total, 'names': [each.name for each in page]})
    return pages


calls = {
    'version': lambda: db.current_version(),
    'status': status,
    'nodes': lambda: db.nodes(),
    'nodes with status': lambda: db.nodes(with_status=True, unreported=10**6),
    'nodes with status, without numbers': lambda: db.nodes(with_status=True, with_event_numbers=False, unreported=10**6),
    'nodes of a class': lambda: db.nodes(query=with_class),
    'node': lambda: db.node(node),
    'facts of a node': lambda: db.node(node).facts(),
    'fact of a node': lambda: db.node(node).fact('kernel'),
    'resources of a node': lambda: db.node(node).resources(),
    'resource of a node': lambda: db.node(node).resource('Class', 'Main'),
    'reports of a node': lambda: db.node(node).reports(),
    'facts': lambda: db.facts('kernel'),
    'facts of a value': lambda: db.facts('kernel', 'Linux'),
    'facts by pattern': lambda: db.facts(query=RegexOperator('name', '^ker')),
    'resources': lambda: db.resources(query=classes),
    'resources by type': lambda: db.resources('class'),
    'resources by type and title': lambda: db.resources('service', 'apache2'),
    'reports': lambda: db.reports(query=of_node, order_by=newest),
    'events of a report': lambda: first_report().events(),
    'events': lambda: db.events(query=latest),
    'event counts': lambda: db.event_counts('certname', query=latest),
    'aggregate event counts': lambda: db.aggregate_event_counts('resource', query=latest),
    'catalog': lambda: db.catalog(node),
    'catalogs': lambda: db.catalogs(query=RegexOperator('certname', '^web')),
    'edges': lambda: db._query('edges', query=of_node),
    'environments': lambda: db.environments(),
    'factsets': lambda: db.factsets(query=of_node),
    'fact names': lambda: db.fact_names(),
    'fact paths': lambda: db.fact_paths(query=RegexArrayOperator('path', ['os', '.*'])),
    'fact contents': lambda: db.fact_contents(query=of_node),
    'inventory': lambda: db.inventory(query=of_node),
    'PQL': lambda: db._query('pql', query='nodes[certname] { latest_report_status = "failed" }'),
    'PQL of counts': lambda: db._query('pql', query='reports[status, count()] { group by status }'),
    'counts': lambda: db._query('reports', query=by_status),
    'posted': lambda: db._query('facts', payload={'query': ['=', 'certname', node]}, request_method='POST'),
    'pages': paged,
    'figures': lambda: {name: db.metric(population + name) for name in ('num-nodes', 'num-resources')},
    'a figure that is none': lambda: db.metric(population + 'nothing'),
    'no such node': lambda: db.node('nobody.example.com'),
    'a wrong query': lambda: db.nodes(query=EqualsOperator('nothing', 1)),
}


def plain(value):
    """A value as JSON has it: of an object, what it says of itself."""
    if isinstance(value, (GeneratorType, list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, datetime):
        return value.strftime('%Y-%m-%dT%H:%M:%S.%f')[:-3] + 'Z'
    if isinstance(value, Edge):
        return {'source': str(value.source), 'target': str(value.target), 'relationship': value.relationship}
    own = {key: each for key, each in vars(value).items() if not key.startswith('_')} if hasattr(value, '__dict__') else {}
    return plain(own) if own else str(value)


def answer(call):
    try:
        return plain(call())
    except Exception as error:  # what a client raises is an answer, too
        status = getattr(getattr(error, 'response', None), 'status_code', None)
        return {'raised': type(error).__name__, 'status': status}


for name, call in calls.items():
    print(json.dumps({'call': name, 'answer': answer(call)}, sort_keys=True, default=str))
