"""Names and places the rows of our own databases are made of."""

FIRST = """Anna John Maria Wei Fatima Peter Lucy Omar Sofia David Emma Raj Elena Marco Yuki Carlos Ingrid Paul Nadia
Tom Chloe Viktor Aisha Lars Julia Ben Mei Hugo Olivia Samuel Greta Ivan Leila Oscar Priya Felix Nora Diego Hannah
Kofi""".split()
LAST = """Schmidt Miller Garcia Chen Khan Novak Brown Haddad Rossi Kim Wilson Patel Petrov Bianchi Tanaka Lopez Berg
Martin Aziz Evans Dubois Horvat Ali Olsen Weber Clark Wong Silva Moore Fischer Jensen Popov Nasser Lind Sharma Vogel
Dahl Romero Scott Mensah""".split()
CITIES = {
    "Berlin": "Germany", "Hamburg": "Germany", "Paris": "France", "Lyon": "France", "Madrid": "Spain", "Seville": "Spain",
    "Rome": "Italy", "Milan": "Italy", "Vienna": "Austria", "Oslo": "Norway", "Bergen": "Norway", "Dublin": "Ireland",
    "London": "United Kingdom", "Leeds": "United Kingdom", "Boston": "United States", "Chicago": "United States",
    "Denver": "United States", "Toronto": "Canada", "Montreal": "Canada", "Sydney": "Australia", "Tokyo": "Japan",
    "Osaka": "Japan", "Seoul": "South Korea", "Mumbai": "India", "Delhi": "India", "Lagos": "Nigeria", "Cairo": "Egypt",
    "Lisbon": "Portugal", "Zurich": "Switzerland", "Prague": "Czech Republic", "Warsaw": "Poland", "Lima": "Peru",
}
COMPANIES = """Northwind Foods|Blue Ridge|Acme Tools|Globex|Initech|Brightside|Silverline|Maple & Co|Redwood Group|Tidewater
|Sunrise Textiles|Polar Systems|Harbor Freight|Evergreen|Quantum Works|Lakeside Press|Ironclad|Velvet Design|Summit Health
|Orchard Labs|Falcon Energy|Cobalt Media|Granite Bank|Willow Homes|Nimbus Cloud|Copper Kettle|Atlas Travel|Delta Print
|Juniper Foods|Keystone""".replace("\n", "").split("|")
STREETS = """Oak Street|Main Street|Station Road|Church Lane|Mill Road|Park Avenue|Garden Row|Hill Street|Lake View|River Road
|King Street|Elm Drive""".replace("\n", "").split("|")
PHRASES = """as agreed|please check|call back later|second attempt|none|urgent request|see attachment|new arrangement
|follow up needed|paid in cash|standard terms|returned once""".replace("\n", "").split("|")

# short forms for schemas named by somebody in a hurry
SHORT = {
    "customer": "cust", "account": "acct", "number": "no", "name": "nm", "amount": "amt", "quantity": "qty",
    "department": "dept", "employee": "emp", "address": "addr", "description": "descr", "date": "dt", "product": "prod",
    "category": "cat", "invoice": "inv", "transaction": "txn", "balance": "bal", "type": "typ", "status": "stat",
    "total": "tot", "order": "ord", "country": "cntry", "manager": "mgr", "payment": "pmt", "supplier": "supp",
    "vehicle": "veh", "student": "stu", "percent": "pct", "average": "avg", "maximum": "max", "minimum": "min",
    "location": "loc", "organization": "org", "salary": "sal", "level": "lvl", "price": "prc", "message": "msg",
    "user": "usr", "vendor": "vend", "group": "grp", "year": "yr", "first": "f", "last": "l", "contract": "contr",
    "project": "proj", "reservation": "resv", "patient": "pat", "doctor": "doc", "appointment": "appt", "room": "rm",
    "reference": "ref", "warehouse": "wh", "delivery": "dlv", "shipment": "shpt", "course": "crs", "teacher": "tchr",
}
