"""Words this project brings itself: brands, codenames, subjects, and what documents, events and tickets are called.

Plain lists, cut into the three splits by ``draw``; nothing here knows of a split.
"""

from __future__ import annotations

BRAND_BEGINNINGS = """
Alder Amber Anvil Arbor Ash Aster Beacon Birch Bramble Brook Cedar Cinder Clover Cobalt Copper Coral Crest Dale
Dune Elder Ember Falcon Fern Fjord Flint Forge Frost Garnet Glade Granite Grove Harbor Hawthorn Hazel Heron
Hollow Indigo Iron Ivory Jasper Juniper Kestrel Lark Laurel Linden Lumen Maple Marble Marsh Meadow Mica Moss
Nimbus North Oak Ochre Onyx Opal Orchard Osprey Otter Pebble Pine Plover Poppy Quarry Quill Raven Reed Ridge
River Rowan Rush Saffron Sage Sand Sable Slate Sorrel Spruce Sterling Stone Swift Tamarack Teal Tern Thistle
Thorn Timber Topaz Umber Vale Verdant Vesper Willow Winter Wren Yarrow
""".split()  # noqa: SIM905

BRAND_ENDINGS = """
bank bay bridge brook craft crest dale field flow forge gate grid haven line link loom mark mere mill nest path
peak point port reach ridge rock scape shore source span spring spur stead stone stream tide vale view wake ward
watch wave way well wick wood works yard
""".split()  # noqa: SIM905

INDUSTRIES = """
Foods Logistics Energy Textiles Foundries Dairies Ceramics Robotics Optics Insurance Shipping Packaging Timber
Mutual Pharma Hotels Airways Chemicals Motors Media Analytics Instruments Plastics Brewing Rail Aggregates
Mining Apparel Diagnostics Furniture
""".split()  # noqa: SIM905

CODENAMES = """
Albatross Andromeda Antares Arcturus Aurora Avalanche Badger Basalt Bison Blizzard Bluebird Boreas Buzzard
Canopus Capella Caracal Cardinal Cascade Cassini Cheetah Chinook Cicada Citadel Comet Condor Corona Cougar
Coyote Curlew Cyclone Cygnus Dolphin Dragonfly Eclipse Egret Electra Equinox Falcata Firefly Galileo Gannet
Gazelle Geyser Glacier Goshawk Gyrfalcon Halcyon Harrier Helios Hornet Hurricane Hydra Ibex Ibis Icarus Jackdaw
Jaguar Kepler Kingfisher Krypton Lapwing Leopard Lynx Lyra Magellan Magnolia Mallard Marlin Marten Meridian
Merlin Meteor Mistral Monsoon Narwhal Nebula Nightjar Nova Ocelot Orca Orion Oryx Pangolin Panther Pegasus
Pelican Penguin Perseus Petrel Phoenix Polaris Puffin Pulsar Puma Quasar Quetzal Raptor Rhino Rigel Robin
Sandpiper Saturn Scorpio Sequoia Sirocco Sirius Skylark Solstice Sparrow Spectra Starling Stingray Stork Sundog
Tamarin Tanager Tempest Titan Tornado Toucan Tundra Typhoon Umbra Vega Viper Vortex Vulcan Wallaby Warbler
Wolverine Wombat Zenith Zephyr
""".split()  # noqa: SIM905

SUBJECTS = """
pricing onboarding retention hiring budget inventory checkout loyalty compliance migration rollout forecast
warehouse payroll returns branding partner analytics security archive training procurement billing staffing
catalog mobile support network payment delivery quality sourcing insurance tax licensing routing capacity
translation travel safety energy facilities subscription referral churn survey campaign website storefront
backup recovery monitoring access identity audit reporting dashboard data search recommendation notification
messaging calendar sales channel reseller wholesale export import customs freight fleet fuel packaging recycling
sustainability community events sponsorship press investor board governance ethics privacy consent
retention-policy contract renewal legal trademark patent research prototype testing release deployment
performance latency outage incident firewall encryption certificate vendor supplier tender bidding leasing
property renovation relocation parking catering wellness benefits pension bonus appraisal mentoring recruiting
internship leadership succession expenses invoicing collections credit treasury currency hedging accounting
closing consolidation
""".split()  # noqa: SIM905

DOCUMENT_KINDS = """
plan brief deck memo proposal outline summary report handbook checklist roadmap overview notes agenda playbook
guide specification assessment review analysis charter timeline sheet estimate concept manual dossier digest
primer register schedule blueprint
""".split()  # noqa: SIM905

EVENT_KINDS = """
sync review workshop planning kickoff retrospective standup briefing demo townhall check-in debrief walkthrough
roundtable interview training session huddle alignment meeting call hearing forum clinic
""".split()  # noqa: SIM905

TICKET_KINDS = """
error crash timeout delay mismatch failure glitch regression leak freeze typo overflow flicker lag warning
rejection duplicate gap spike deadlock misprint rounding redirect stall
""".split()  # noqa: SIM905

THREAD_KINDS = """
question update follow-up request feedback changes details status concerns options figures numbers dates terms
news decision next-steps draft comments thanks reminder handover recap clarification
""".split()  # noqa: SIM905

FOLDER_KINDS = """
binder vault library shelf cabinet inbox outbox binders proofs scans ledgers files material records drafts
archive templates assets contracts minutes reports submissions references exports originals
""".split()  # noqa: SIM905

COMPONENTS = """
checkout login search cart catalog billing export import sync api dashboard notifications scheduler uploader
gateway ledger inventory profile settings mailer reports webhooks permissions cache
""".split()  # noqa: SIM905

NICKNAMES = {
    "Alexander": "Alex", "Alexandra": "Alex", "Andrew": "Andy", "Anthony": "Tony", "Barbara": "Barb",
    "Benjamin": "Ben", "Catherine": "Cathy", "Charles": "Charlie", "Christine": "Chris", "Christopher": "Chris",
    "Daniel": "Dan", "Deborah": "Deb", "Donald": "Don", "Edward": "Ed", "Elizabeth": "Liz", "Frederick": "Fred",
    "Gregory": "Greg", "Jacqueline": "Jackie", "James": "Jim", "Jennifer": "Jen", "Jessica": "Jess",
    "Jonathan": "Jon", "Joseph": "Joe", "Joshua": "Josh", "Katherine": "Kate", "Kenneth": "Ken",
    "Kimberly": "Kim", "Lawrence": "Larry", "Margaret": "Maggie", "Matthew": "Matt", "Maximilian": "Max",
    "Melissa": "Mel", "Michael": "Mike", "Nathaniel": "Nate", "Nicholas": "Nick", "Pamela": "Pam",
    "Patricia": "Pat", "Patrick": "Pat", "Peter": "Pete", "Philip": "Phil", "Rebecca": "Becky",
    "Richard": "Rick", "Robert": "Bob", "Ronald": "Ron", "Samantha": "Sam", "Samuel": "Sam",
    "Stephanie": "Steph", "Stephen": "Steve", "Steven": "Steve", "Susan": "Sue", "Theodore": "Ted",
    "Thomas": "Tom", "Timothy": "Tim", "Valerie": "Val", "Victoria": "Vicky", "Vincent": "Vince",
    "William": "Will", "Zachary": "Zach", "Francisco": "Paco", "José": "Pepe", "Guadalupe": "Lupe",
    "Giuseppe": "Beppe", "Katarzyna": "Kasia", "Małgorzata": "Gosia", "Johannes": "Hannes",
    "Sebastian": "Basti",
}  # fmt: skip
"""Given names to what friends say."""

TEAMS = """
Launch Support Finance Legal Marketing Platform Design Operations Security Research Procurement Sales People
Quality Data Partnerships Infrastructure Compliance Logistics Growth
""".split()  # noqa: SIM905

ROLES = """
manager lead analyst engineer coordinator specialist director advisor architect planner auditor designer counsel
buyer controller strategist
""".split()  # noqa: SIM905

REGIONS = "EMEA APAC LATAM Nordics DACH Iberia Benelux Baltics UKI ANZ".split()  # noqa: SIM905

CITIES = """
Aarhus Antwerp Basel Bergen Bilbao Bologna Bordeaux Bristol Brno Bruges Cardiff Cork Cádiz Dresden Espoo Gdańsk
Ghent Graz Haarlem İzmir Kraków Leeds Liège Linz Ljubljana Lublin Lyon Malmö Metz Nantes Odense Porto Poznań
Rennes Riga Salzburg Tampere Tartu Trieste Trondheim Turin Turku Uppsala Utrecht Valencia Vilnius Wrocław York
Zagreb Zürich
""".split()  # noqa: SIM905
